// Small plots, drawn as SVG, with their numbers as text for those who do not see them.
import { draw, make } from "./dom.js";
import { number } from "./say.js";

export function bars(pairs, unit, label) {
  const most = Math.max(...pairs.map(([, value]) => value), 1e-9);
  return make("dl", { class: "bars", "aria-label": label }, pairs.map(([name, value]) => {
    const bar = make("span", { class: "bar" });
    bar.style.inlineSize = `${Math.max(1, (100 * value) / most)}%`;
    return make("div", {}, make("dt", {}, name),
      make("dd", {}, bar, make("span", {}, `${number(value, 1)}${unit}`)));
  }));
}

export function line(values, label) {
  const width = 600, height = 120, most = Math.max(...values, 1);
  const step = values.length > 1 ? width / (values.length - 1) : width;
  const points = values.map((value, place) =>
    `${(place * step).toFixed(1)},${(height - (value / most) * (height - 10)).toFixed(1)}`);
  const said = `${label}: ${values.map((value) => number(value, 1)).join(", ")}`;
  return make("figure", { class: "plot" },
    draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": said, preserveAspectRatio: "none" },
      draw("polygon", { class: "area", points: `0,${height} ${points.join(" ")} ${width},${height}` }),
      draw("polyline", { class: "curve", points: points.join(" "), fill: "none", "vector-effect": "non-scaling-stroke" })),
    make("figcaption", {}, label));
}
