import type { Site } from '../declare/site.ts';

/** The `curl` command for use on this machine. curl does not trust a self-signed certificate by default. */
export function curlHere({ ownCertificateFile }: Site): string {
  if (ownCertificateFile === null) return 'curl';
  return `curl --cacert '${ownCertificateFile.replaceAll("'", String.raw`'\''`)}'`;
}
