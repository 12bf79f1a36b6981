import { extname } from 'node:path';

/**
 * The address of a thread's file, without its extension, beside the caller's. The build puts all files into
 * one folder as JavaScript; both layouts have the thread beside its caller, with the caller's extension.
 */
export function threadUrl(name: string, caller: string): URL {
  return new URL(`./${name}${extname(caller)}`, caller);
}
