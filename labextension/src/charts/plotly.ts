// Plotly figures. The strict bundle makes no code from text.

import { run } from "./frame"; // first

import Plotly from "plotly.js-strict-dist-min";

interface Figure {
  data: object[];
  layout: object;
  frames: object[];
}

run(async (place, { data, layout, frames }: Figure) => {
  const config = { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["toImage"] };
  const figure = await Plotly.newPlot(place, { data, layout, frames, config });
  return (scale) => Plotly.toImage(figure, { format: "png", width: place.clientWidth, height: place.clientHeight, scale });
});
