import { configOf } from '../../kernel/declare/config.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { readSender } from '../../shared/email-address.ts';
import { siteName } from '../store-profile/index.ts';
import { mailConfig } from './config.ts';
import { textsToSend } from './one-time-link.ts';
import type { OutboxRow } from './outbox-rows.ts';
import { oneLine } from './render-mail.ts';
import { replyAddress } from './settings.ts';

export const CONNECTIONS_MAX = 5;
const CONNECT_MS = 10_000;
const IDLE_MS_MAX = 30_000;
/** Limit for one mail: a server that sends one byte at a time never reaches the idle timeout. */
export const SEND_MS_MAX = 60_000;
/** How long a shutdown waits for mails that are being sent. */
const STOP_MS_MAX = 4_000;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

type Transport = ReturnType<typeof import('nodemailer').createTransport>;

/** Connection pool to the mail server, opened with the first mail. */
class MailServer {
  readonly #site: Site;
  #transport: Transport | undefined;
  #closed = false;

  constructor(site: Site) {
    this.#site = site;
  }

  /** Host and port for the log, never the username or password. */
  get hostAndPort(): string {
    const { host, port } = optionsOf(configOf(this.#site, mailConfig).smtpUrl);
    return `${host}:${port}`;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Resolves once the server has accepted the mail; throws the error of the server or the network. */
  async send(mail: OutboxRow): Promise<void> {
    // Loaded with the first mail, because many processes never send one.
    const { createTransport } = await import('nodemailer');
    const transport = (this.#transport ??= createTransport(
      optionsOf(configOf(this.#site, mailConfig).smtpUrl),
    ));
    const message = toMessage(this.#site, mail);
    const tooLong = setTimeout(() => this.#drop(transport), SEND_MS_MAX);
    try {
      await transport.sendMail(message);
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
    // Never sends a password in plain text to another machine.
    requireTLS: user !== '' && !LOOPBACK.test(url.hostname),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    maxConnections: CONNECTIONS_MAX,
    // The outbox retries; nodemailer must not.
    maxRequeues: 0,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function toMessage(site: Site, mail: OutboxRow) {
  const { name, address } = senderOf(site);
  const replyTo = site.settings.get(replyAddress);
  return {
    from: { name: name || oneLine(site.settings.get(siteName)), address },
    to: { name: mail.to_name, address: mail.to_address },
    ...(replyTo !== '' && { replyTo }),
    envelope: { from: address, to: [mail.to_address] },
    // The same for every attempt, so that mail programs can recognise a duplicate.
    messageId: messageIdOf(site, mail.id),
    subject: mail.subject,
    ...textsToSend(site, mail),
    // RFC 3834: prevents out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated', ...headersToMany(mail) },
  };
}

/** RFC 8058: mail programs offer to unsubscribe with one click, and know it as one of many. */
function headersToMany({ unsubscribe }: OutboxRow): Record<string, string> {
  if (unsubscribe === null) return {};
  return {
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    Precedence: 'bulk',
  };
}

/** The configuration was checked at the start. */
function senderOf(site: Site) {
  return readSender(configOf(site, mailConfig).mailFrom)!;
}

function messageIdOf(site: Site, id: number): string {
  const mark = site.keyring.hash('message id', String(id)).slice(0, 16);
  return `<outbox.${id}.${mark}@${senderOf(site).address.split('@').at(-1)}>`;
}
