// The extension's icon: a cell with a star. The launcher needs an image, with one colour for all themes.

import { LabIcon } from "@jupyterlab/ui-components";

const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 16 16">
  <g class="jp-icon3" fill="#616161">
    <path d="M3 2a2 2 0 0 0-2 2v8c0 1.1.9 2 2 2h10a2 2 0 0 0 2-2V8.5h-1.3V12c0 .4-.3.7-.7.7H3a.7.7 0 0 1-.7-.7V4c0-.4.3-.7.7-.7h4.5V2Z"/>
    <path d="M11.5.5l1.1 2.9 2.9 1.1-2.9 1.1-1.1 2.9-1.1-2.9-2.9-1.1 2.9-1.1ZM4 9h5v1.3H4ZM4 6.5h3v1.3H4Z"/>
  </g>
</svg>`;

export const agentIcon = new LabIcon({ name: "smolcell:agent", svgstr: DRAWING });

export const launcherIcon = `data:image/svg+xml,${encodeURIComponent(DRAWING.replace("#616161", "#6b74dd"))}`;
