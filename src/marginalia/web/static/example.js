// What a first reader opens: a short text of ours in which the margin has something of each kind to say.
export const example = `# Why old films shrink

Reels of nitrate film from before 1950 are both precious and perilous. The base is made of cellulose nitrate, a
volatile material that slowly gives off acidic fumes. In a sealed can the fumes have nowhere to go, and the decay
feeds on itself.

## What we measured

We examined 64 reels of a regional archive. For each reel we recorded the relative humidity (RH) of the vault, the
shrinkage of the perforations and the odour of the can. The vault was kept at 12 °C throughout the study. A
densitometer gave the loss of contrast of five frames of each reel.

## What we found

Reels that had been stored at an RH of more than 50 % had shrunk by 1.4 % on average. In 9 of the 64 reels the emulsion
had turned brittle, and flakes came off when the film was unwound. Slow cooling did not damage the reels.

An archivist who smells vinegar should act at once: ventilate the can, lower the RH and isolate the reel, since the
fumes exacerbate the decay of its neighbours.

## What to do

Duplicate what is brittle first. Throughout the study the vault was kept at 16 °C. That is too warm for long storage:
the literature recommends less than 5 °C. Money is scarce, and most archives can salvage only a fraction of their
holdings.
`;
