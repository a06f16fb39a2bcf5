declare module "plotly.js-strict-dist-min" {
  const Plotly: {
    newPlot(place: HTMLElement, figure: object): Promise<HTMLElement>;
    toImage(figure: HTMLElement, options: object): Promise<string>;
  };
  export default Plotly;
}
