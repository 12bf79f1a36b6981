import { crc32 } from 'node:zlib';

const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;
/** 1 January 1980, the first day that the format knows, so that the same files are the same archive. */
const DATE = 0x0021;

/** An archive of a few small text files, which are stored without compression. */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const entries: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path);
    const content = Buffer.from(text);
    const common = commonHeader(name, content);
    const entry = Buffer.concat([numbers32(0x04034b50), common, name, content]);
    directory.push(
      Buffer.concat([
        numbers32(0x02014b50),
        numbers16(VERSION),
        common,
        // Comment, disk and attributes: none.
        Buffer.alloc(10),
        numbers32(offset),
        name,
      ]),
    );
    entries.push(entry);
    offset += entry.length;
  }
  const list = Buffer.concat(directory);
  const count = directory.length;
  const end = [
    numbers32(0x06054b50),
    numbers16(0, 0, count, count),
    numbers32(list.length, offset),
    numbers16(0),
  ];
  return Buffer.concat([...entries, list, ...end]);
}

/** What the header of a file and its line in the directory have in common. */
function commonHeader(name: Buffer, content: Buffer): Buffer {
  return Buffer.concat([
    numbers16(VERSION, FLAGS, 0, 0, DATE),
    numbers32(crc32(content), content.length, content.length),
    numbers16(name.length, 0),
  ]);
}

function numbers16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt16LE(value, 2 * i);
  return bytes;
}

function numbers32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value, 4 * i);
  return bytes;
}
