// Checks images and videos from a sandbox before they are shown: their type, and their size in pixels.
//
// A small file can decode to billions of pixels, so the size is read from the header before the browser decodes the image.
// `smolcell/views/outputs.py` does the same in Python; tests on both sides read `tests/contract/images.json`.
// Sources: PNG (W3C, 11.2.1), GIF89a (18), JPEG (ITU T.81, B.2.2), WebP (RFC 9649, 2.5 to 2.7).

import { h } from "./dom";

export const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** The signature of each video type, and its offset in bytes. */
const MARKS: Record<string, [at: number, mark: string]> = { "video/mp4": [4, "ftyp"], "video/webm": [0, "\x1a\x45\xdf\xa3"] };
export const VIDEOS = Object.keys(MARKS);
export const MAX_IMAGE_CHARS = 7_000_000; // of base64: about 5 MB
export const MAX_PIXELS = 40_000_000;
const HEADER_CHARS = 400_000; // of base64 that must contain the size; a JPEG may have a colour profile before it

type Size = readonly [number, number];

/** The reason why an image or video must not be shown; "" if it can be. `data` is base64, possibly with white space. */
export function imageFault(mime: string, data: string): string {
  if (data.length > MAX_IMAGE_CHARS) return "larger than 5 MB";
  if (data === "" || !/^[A-Za-z0-9+/=\s]+$/.test(data)) return "not base64";
  if (VIDEOS.includes(mime)) return isVideo(mime, data) ? "" : `not what it claims to be, ${mime}`;
  const size = imageSize(mime, data);
  if (size === null) return `not what it claims to be, ${mime}`;
  return size[0] * size[1] > MAX_PIXELS ? `${size[0]} by ${size[1]} pixels` : "";
}

/** An image that has its place on the page before the browser has read it, and keeps it if the browser cannot. */
export function imageNode(mime: string, data: string, description: string): HTMLImageElement {
  const node = h("img", "image");
  node.alt = description;
  const [width, height] = imageSize(mime, data) ?? [1, 1];
  [node.style.width, node.style.aspectRatio] = [`${width}px`, `${width} / ${height}`];
  node.src = `data:${mime};base64,${data.replace(/\s/g, "")}`;
  return node;
}

/** Width and height in pixels, read from the header; null if the data is not an image of this type. */
export function imageSize(mime: string, data: string): Size | null {
  const bytes = decoded(data);
  const size = bytes === null ? null : (READERS[mime]?.(bytes) ?? null);
  return size !== null && size[0] > 0 && size[1] > 0 ? size : null;
}

function isVideo(mime: string, data: string): boolean {
  const bytes = decoded(data);
  return bytes !== null && says(bytes, ...(MARKS[mime] as [number, string]));
}

function decoded(data: string): DataView | null {
  const start = data.slice(0, HEADER_CHARS).replace(/\s/g, "");
  try {
    const text = atob(start.slice(0, start.length - (start.length % 4)));
    return new DataView(Uint8Array.from(text, (char) => char.charCodeAt(0)).buffer);
  } catch {
    return null;
  }
}

const READERS: Record<string, (bytes: DataView) => Size | null> = { "image/png": png, "image/gif": gif, "image/jpeg": jpeg, "image/webp": webp };

function says(bytes: DataView, at: number, text: string): boolean {
  return bytes.byteLength >= at + text.length && [...text].every((char, n) => bytes.getUint8(at + n) === char.charCodeAt(0));
}

function png(bytes: DataView): Size | null {
  if (bytes.byteLength < 24 || !says(bytes, 0, "\x89PNG\r\n\x1a\n") || !says(bytes, 12, "IHDR")) return null;
  return [bytes.getUint32(16), bytes.getUint32(20)];
}

function gif(bytes: DataView): Size | null {
  if (bytes.byteLength < 10 || !(says(bytes, 0, "GIF87a") || says(bytes, 0, "GIF89a"))) return null;
  return [bytes.getUint16(6, true), bytes.getUint16(8, true)];
}

/** The size is in each start-of-frame segment: markers C0 to CF except C4 (Huffman tables), C8 (extensions) and CC (arithmetic coding). */
function jpeg(bytes: DataView): Size | null {
  if (!says(bytes, 0, "\xff\xd8")) return null;
  let at = 2;
  while (at + 9 <= bytes.byteLength && bytes.getUint8(at) === 0xff) {
    const marker = bytes.getUint8(at + 1);
    if (marker === 0xff) at += 1; // padding
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return [bytes.getUint16(at + 7), bytes.getUint16(at + 5)];
    else at += 2 + Math.max(bytes.getUint16(at + 2), 2);
  }
  return null;
}

function webp(bytes: DataView): Size | null {
  if (bytes.byteLength < 30 || !says(bytes, 0, "RIFF") || !says(bytes, 8, "WEBP")) return null;
  if (says(bytes, 12, "VP8 ") && says(bytes, 23, "\x9d\x01\x2a")) return [bytes.getUint16(26, true) & 0x3fff, bytes.getUint16(28, true) & 0x3fff];
  if (says(bytes, 12, "VP8L") && bytes.getUint8(20) === 0x2f) {
    const bits = bytes.getUint32(21, true);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  if (says(bytes, 12, "VP8X")) return [uint24(bytes, 24) + 1, uint24(bytes, 27) + 1];
  return null;
}

function uint24(bytes: DataView, at: number): number {
  return bytes.getUint16(at, true) + bytes.getUint8(at + 2) * 0x10000;
}
