/** Where the bytes of files are. A key is written once and never changed. */
export interface FileStore {
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** The bytes as they are read; undefined if there are none. */
  read(key: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Does nothing if there are none. */
  remove(key: string): Promise<void>;
}
