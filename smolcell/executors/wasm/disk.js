// What the code's files may take. They lie in memory, JavaScript's, where the limit on Python's memory does not count them.

const MOST = 1 << 30; // bytes of all files together
const NO_SPACE = 51; // errno ENOSPC of WASI

/** Let files grow so far: beyond, writing is an OSError in the code. */
export function bound(FS) {
  const { stream, node } = FS.filesystems.MEMFS.ops_table.file;
  const { write } = stream;
  const { setattr } = node;
  let taken = 0; // more than that is not in use

  function grow(file, size) {
    const more = size - file.usedBytes;
    if (more <= 0) return;
    if (taken + more > MOST) taken = measure(FS.root);
    if (taken + more > MOST) throw new FS.ErrnoError(NO_SPACE);
    taken += more;
  }

  stream.write = (opened, buffer, offset, length, position, own) => {
    grow(opened.node, position + length);
    return write(opened, buffer, offset, length, position, own);
  };
  node.setattr = (file, attributes) => {
    if (attributes.size !== undefined) grow(file, attributes.size);
    return setattr(file, attributes);
  };
}

/** Bytes of all files below a folder. */
function measure(folder) {
  let size = 0;
  const left = [folder];
  while (left.length) {
    const node = left.pop();
    if (typeof node.usedBytes === "number") size += node.usedBytes;
    else if (node.contents && !node.link) left.push(...Object.values(node.contents));
  }
  return size;
}
