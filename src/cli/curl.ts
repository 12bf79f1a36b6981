import type { Config } from '../config.ts';
import type { DataFolder } from '../data-folder.ts';

/** `curl` as it must be called here to work as pasted: it does not know our own certificate. */
export function curlFor(config: Config, folder: DataFolder): string {
  return config.tls === 'auto' ? `curl --cacert '${folder.certificateFile}'` : 'curl';
}
