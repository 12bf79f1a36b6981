import type { Site } from '../declare/site.ts';

/** The `curl` command for use on this machine. curl does not trust a self-signed certificate by itself. */
export function curlHere({ ownCertificateFile }: Site): string {
  if (ownCertificateFile === null) return 'curl';
  return `curl --cacert '${ownCertificateFile.replaceAll("'", String.raw`'\''`)}'`;
}

/** The `curl` command for public pages, which must not name files of this machine. */
export function curlAnywhere({ ownCertificateFile }: Site): string {
  return ownCertificateFile === null ? 'curl' : 'curl -k';
}
