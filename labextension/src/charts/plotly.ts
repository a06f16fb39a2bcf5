// Draws Plotly figures. The strict bundle of Plotly evaluates no code.

import { drawChart } from "./frame"; // first: it patches requestAnimationFrame

import Plotly from "plotly.js-strict-dist-min";

interface Figure {
  data: object[];
  layout: object;
  frames: object[];
}

drawChart(async (place, { data, layout, frames }: Figure) => {
  const config = { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["toImage"] };
  const figure = await Plotly.newPlot(place, { data, layout, frames, config });
  return (scale) => Plotly.toImage(figure, { format: "png", width: place.clientWidth, height: place.clientHeight, scale });
});
