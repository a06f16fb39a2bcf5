// Stubs for libraries of markdown-it whose rules are disabled (see `build.mjs`). They return text unchanged.

export class LinkifyIt {}

const same = (text: string): string => text;

export { same as decodeHTMLStrict, same as toASCII, same as toUnicode };

export default { toASCII: same, toUnicode: same };
