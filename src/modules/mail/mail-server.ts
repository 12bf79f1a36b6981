import { perSite, type Site } from '../../kernel/declare/site.ts';
import { siteName } from '../meta/index.ts';
import type { OutboxRow } from './outbox-store.ts';
import { oneLine } from './render-mail.ts';

export const CONNECTIONS_MAX = 5;
const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
/** For one mail altogether: a server that answers a byte at a time is never silent. */
export const SEND_MS_MAX = 60_000;
/** How long a stop waits for mails that are being handed over. */
const STOP_MS_MAX = 4_000;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

type Transport = ReturnType<typeof import('nodemailer').createTransport>;

/** The connections of a site to its mail server, opened when needed and kept for the next mail. */
class MailServer {
  readonly #site: Site;
  #transport: Transport | undefined;
  #closed = false;

  constructor(site: Site) {
    this.#site = site;
  }

  /** Where it is, for the log: never with the user or the password. */
  get place(): string {
    const { host, port } = optionsOf(this.#site.mail.smtpUrl);
    return `${host}:${port}`;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Resolves once the server has taken the mail; throws what it, or the network, said instead. */
  async send(mail: OutboxRow): Promise<void> {
    // Loaded with the first mail: most of the time, and on many sites ever, nobody needs it.
    const { createTransport } = await import('nodemailer');
    const transport = (this.#transport ??= createTransport(optionsOf(this.#site.mail.smtpUrl)));
    const tooLong = setTimeout(() => this.#drop(transport), SEND_MS_MAX);
    try {
      await transport.sendMail(toMessage(this.#site, mail));
    } finally {
      clearTimeout(tooLong);
    }
  }

  close(): void {
    this.#closed = true;
    const transport = this.#transport;
    transport?.close();
    setTimeout(() => transport?.close({ force: true }), STOP_MS_MAX).unref();
  }

  #drop(transport: Transport): void {
    if (this.#transport === transport) this.#transport = undefined;
    transport.close({ force: true });
  }
}

export const mailServerOf = perSite((site) => new MailServer(site));

function optionsOf(address: string) {
  const url = new URL(address);
  const user = decodeURIComponent(url.username);
  const secure = url.protocol === 'smtps:';
  return {
    pool: true as const,
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    // A password leaves this machine encrypted or not at all.
    requireTLS: user !== '' && !LOOPBACK.test(url.hostname),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    maxConnections: CONNECTIONS_MAX,
    // Sending again is the outbox's business, which knows how often.
    maxRequeues: 0,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function toMessage(site: Site, mail: OutboxRow) {
  const { from } = site.mail;
  return {
    from: { name: oneLine(site.settings.get(siteName)), address: from },
    to: { name: mail.to_name, address: mail.to_address },
    envelope: { from, to: [mail.to_address] },
    // The same with every attempt: should a mail arrive twice, it can be recognised.
    messageId: messageIdOf(site, mail.id),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    // RFC 3834: absence notices and the like are not sent back.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

function messageIdOf({ keyring, mail }: Site, id: number): string {
  const mark = keyring.hash('message id', String(id)).slice(0, 16);
  return `<outbox.${id}.${mark}@${mail.from.split('@').at(-1)}>`;
}
