import type { Socket } from 'node:net';
import { after } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  /** The recipients of the envelope, which may differ from the headers. */
  readonly envelopeTo: string[];
  readonly raw: string;
  readonly parsed: Email;
}

/** An error with which the mail server replies this code. */
export function smtpRefusal(responseCode: number, message = 'No.'): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** A real mail server on a free loopback port that stores what it receives; closed after the tests. */
export class MailReceiver {
  readonly received: ReceivedMail[] = [];
  /** All mails that clients have sent, refused or not. */
  readonly offered: string[] = [];
  /** Refuses mails with this error while it is set. */
  refuse: Error | undefined;
  /** While it is set, the server accepts mails but replies only when it resolves. */
  silence: Promise<void> | undefined;
  /** While it is set, the server keeps mails but ends its connections instead of replying. */
  dies = false;
  readonly #server: SMTPServer;
  readonly #sockets = new Set<Socket>();
  #port = 0;

  constructor(options: SMTPServerOptions = {}) {
    this.#server = new SMTPServer({
      disabledCommands: ['STARTTLS', ...(options.onAuth ? [] : ['AUTH'])],
      authOptional: options.onAuth === undefined,
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const raw = Buffer.concat(chunks);
          this.offered.push(raw.toString());
          if (this.refuse) return done(this.refuse);
          const envelopeTo = session.envelope.rcptTo.map(({ address }) => address);
          PostalMime.parse(raw)
            .then((parsed) => this.received.push({ envelopeTo, raw: raw.toString(), parsed }))
            .then(() => this.silence)
            .then(() => (this.dies ? this.#hangUp() : done()), done);
        });
      },
      // Clients keep their connections open; closing does not wait for them.
      closeTimeout: 50,
      ...options,
    });
    // A client that disconnects must not fail a test.
    this.#server.on('error', () => {});
    this.#server.server.on('connection', (socket: Socket) => this.#sockets.add(socket));
  }

  async listen(port = 0): Promise<this> {
    after(() => this.close());
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    this.#port = (this.#server.server.address() as { port: number }).port;
    return this;
  }

  #hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  url(user = ''): string {
    return `smtp://${user && `${user}@`}127.0.0.1:${this.#port}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
