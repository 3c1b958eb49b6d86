"""What is measured in a unit if nothing is said, and words for quantity kinds beside their labels."""

from __future__ import annotations

MAIN = {
    "A0E0L1I0M0H0T0D0": "Length", "A0E0L2I0M0H0T0D0": "Area", "A0E0L3I0M0H0T0D0": "Volume",
    "A0E0L0I0M1H0T0D0": "Mass", "A0E0L0I0M0H0T1D0": "Time", "A0E0L0I0M0H1T0D0": "Temperature",
    "A0E1L0I0M0H0T0D0": "ElectricCurrent", "A1E0L0I0M0H0T0D0": "AmountOfSubstance",
    "A0E0L0I1M0H0T0D0": "LuminousIntensity", "A0E0L1I0M0H0T-1D0": "Velocity",
    "A0E0L1I0M0H0T-2D0": "Acceleration", "A0E0L-3I0M1H0T0D0": "Density",
    "A0E0L-1I0M1H0T-2D0": "Pressure", "A0E0L2I0M1H0T-2D0": "Energy", "A0E0L2I0M1H0T-3D0": "Power",
    "A0E0L1I0M1H0T-2D0": "Force", "A0E0L0I0M0H0T-1D0": "Frequency", "A0E0L-1I0M0H0T0D0": "InverseLength",
    "A1E0L-3I0M0H0T0D0": "Concentration", "A0E0L0I0M1H0T-1D0": "MassFlowRate",
    "A0E0L3I0M0H0T-1D0": "VolumeFlowRate", "A0E1L0I0M0H0T1D0": "ElectricCharge",
    "A0E-1L2I0M1H0T-3D0": "Voltage", "A0E-2L2I0M1H0T-3D0": "Resistance",
    "A0E-1L0I0M1H0T-2D0": "MagneticFluxDensity", "A0E0L0I0M1H0T-3D0": "Irradiance",
    "A0E0L2I0M0H0T-2D0": "AbsorbedDose", "A0E0L-1I0M1H0T-1D0": "DynamicViscosity",
    "A0E0L0I0M1H0T-2D0": "SurfaceTension", "A-1E0L0I0M1H0T0D0": "MolarMass",
    "A-1E0L2I0M1H0T-2D0": "MolarEnergy", "A0E1L-2I0M0H0T0D0": "ElectricCurrentDensity",
    "A0E0L-2I0M1H0T0D0": "MassPerArea", "A0E0L3I0M-1H0T0D0": "SpecificVolume",
}  # fmt: skip
FAMILY_MAIN = {
    "number": "DimensionlessRatio", "angle": "Angle", "solid angle": "SolidAngle",
    "information": "InformationEntropy", "acidity": "Acidity", "level": "SoundPressureLevel",
}  # fmt: skip
"""What is meant where nothing else is said: by dimension, and of the dimensionless by family."""
SYNONYMS = {
    "Time": "age aged old duration period lifetime interval time while course latency half-life survival "
    "alter dauer zeit laufzeit lebensdauer",
    "Length": "size long length range spacing scale extent perimeter circumference länge größe",
    "Depth": "deep depth paleodepth tiefe",
    "Thickness": "thick thickness dicke",
    "Width": "wide width breite",
    "Height": "tall height high höhe",
    "Altitude": "altitude elevation",
    "Distance": "distance separation offset abstand",
    "Diameter": "diameter durchmesser",
    "Radius": "radius gyroradius",
    "Wavelength": "wavelength wellenlänge line band",
    "Wavenumber": "wavenumber peak band mode vibration",
    "Mass": "weight weigh weighed mass heavy gewicht masse body-weight",
    "MolarMass": "mw mn weight",
    "Speed": "speed",
    "Velocity": "velocity geschwindigkeit",
    "Temperature": "temperature temp annealed heated tm tg temperatur",
    "Pressure": "pressure vacuum druck",
    "Stress": "stress strength modulus",
    "Density": "density dichte",
    "MassConcentration": "concentration dose level konzentration",
    "Concentration": "concentration molarity konzentration",
    "DimensionlessRatio": "abundance content proportion percentage fraction share ratio rate increase decrease "
    "reduction change growth anteil gehalt concentration quote",
    "Prevalence": "prevalence",
    "Efficiency": "efficiency yield wirkungsgrad",
    "Frequency": "frequency rate frequenz",
    "Voltage": "voltage potential bias spannung voc",
    "ElectricCurrent": "current strom photocurrent",
    "ElectricCurrentDensity": "jsc",
    "Resistance": "resistance impedance widerstand",
    "Energy": "energy gap bandgap energie",
    "Power": "power output leistung",
    "Irradiance": "irradiance insolation flux illumination",
    "Angle": "latitude paleolatitude longitude angle inclination tilt slope orientation phase winkel breite",
    "Area": "area fläche",
    "Volume": "volume volumen",
    "Force": "force kraft load",
    "Acceleration": "acceleration beschleunigung",
    "Count": "number count anzahl",
    "Acidity": "ph acidity",
}
"""Words for kinds, beside their labels; ``concentration`` is of three kinds, as the unit has it."""
SAY_NOTHING = frozenset(
    "a an the of in on at for from to and or by with per mean average median total maximum minimum max min "
    "typical overall observed measured estimated initial final annual daily high low net its their value "
    "values level levels der die das des von im am und mittlere mittlerer maximale durchschnittliche".split()
)
