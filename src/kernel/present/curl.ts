import type { Site } from '../declare/site.ts';

/** `curl` as it works when pasted on this machine: it does not know a certificate that was made here. */
export function curlHere({ ownCertificateFile }: Site): string {
  if (ownCertificateFile === null) return 'curl';
  return `curl --cacert '${ownCertificateFile.replaceAll("'", String.raw`'\''`)}'`;
}

/** The same for a public page, which names no file of this machine. */
export function curlAnywhere({ ownCertificateFile }: Site): string {
  return ownCertificateFile === null ? 'curl' : 'curl -k';
}
