import { configKey, configSection } from '../../kernel/declare/config.ts';

export const filesConfig = configSection({
  keys: {
    filesUrl: configKey({
      flag: 'files-url',
      placeholder: 'URL',
      default: '',
      help: 's3://key:secret@host/bucket?region=name: files in an S3-compatible store instead of the data folder',
      secret: true,
      parse: bucketAddress,
    }),
    scannerSocket: configKey({
      flag: 'scanner-socket',
      placeholder: 'PATH',
      default: '',
      help: 'The socket of clamd: it scans each file before it is stored, and without its answer none is',
      parse: String,
    }),
  },
});

/** A place in an S3-compatible store. */
export interface BucketAddress {
  /** The address of the bucket, without a slash at its end. */
  readonly endpoint: string;
  /** Starts every key of the bucket that is ours; empty, or with a slash at its end. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const FORM =
  'be an address like s3://key:secret@s3.eu-central-1.amazonaws.com/bucket?region=eu-central-1; ' +
  'a folder of the bucket may follow it, and tls=off for a server without TLS';

function bucketAddress(given: string): BucketAddress | '' {
  const text = given.trim();
  if (text === '') return '';
  const url = URL.parse(text);
  const [bucket, ...folders] = url?.pathname.slice(1).split('/').filter(Boolean) ?? [];
  if (url?.protocol !== 's3:' || !url.hostname || !bucket || !url.username || !url.password) {
    throw new Error(FORM);
  }
  for (const [name, value] of url.searchParams) {
    if (name !== 'region' && !(name === 'tls' && ['on', 'off'].includes(value))) {
      throw new Error(FORM);
    }
  }
  const scheme = url.searchParams.get('tls') === 'off' ? 'http' : 'https';
  try {
    return {
      endpoint: `${scheme}://${url.host}/${bucket}`,
      prefix: folders.map((folder) => `${folder}/`).join(''),
      region: url.searchParams.get('region') ?? 'auto',
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
    };
  } catch {
    throw new Error('have its special characters written as %20');
  }
}
