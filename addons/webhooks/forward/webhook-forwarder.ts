import { CommandError } from '../../../src/kernel/declare/command.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { GuardedClient } from '../../../src/shared/guarded-client.ts';
import {
  messageBody,
  signedHeaders,
  type WebhookMessage,
} from '../../../src/shared/standard-webhooks.ts';
import { TransportError } from '../../../src/shared/transport-error.ts';

const EXCHANGE_MS_MAX = 15_000;
/** How much of a receiver's answer is shown. */
const SHOWN_CHARACTERS_MAX = 200;

/** The result of one delivery. */
export interface ForwardOutcome {
  /** The status that the receiver answered; null where no answer came. */
  code: number | null;
  /** Why the delivery failed; null where the receiver accepted it. */
  error: string | null;
}

/** Sends to an address that the person at the keyboard has chosen, so it may be a private one. */
export class WebhookForwarder {
  /** The same for every call on this installation: a receiver is set up with it once. */
  readonly secret: string;
  readonly #client = new GuardedClient({ allowPrivate: true });
  readonly #url: URL;
  readonly #site: Site;

  constructor(site: Site, url: string) {
    const parsed = URL.parse(url);
    if (!parsed || !/^https?:$/.test(parsed.protocol)) {
      throw new CommandError('usage', `--forward-to must be an http or https URL, not "${url}".`);
    }
    const bytes = Buffer.from(site.keyring.hash('webhook development', 'secret'), 'base64url');
    this.secret = `whsec_${bytes.toString('base64')}`;
    this.#url = parsed;
    this.#site = site;
  }

  async forward(id: string, message: WebhookMessage): Promise<ForwardOutcome> {
    const body = messageBody(message);
    const headers = signedHeaders(this.secret, { id, body, nowMs: this.#site.clock() });
    const post = { headers, body, timeoutMs: EXCHANGE_MS_MAX, readsText: true };
    try {
      const { status, text } = await this.#client.post(this.#url, post);
      const isAccepted = status >= 200 && status < 300;
      return {
        code: status,
        error: isAccepted ? null : `The receiver answered ${status}${quoted(text)}`,
      };
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      return { code: null, error: error.message };
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

/** The beginning of an answer as one line that a terminal can show. */
function quoted(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line === '') return '.';
  const isLong = line.length > SHOWN_CHARACTERS_MAX;
  return `: ${isLong ? `${line.slice(0, SHOWN_CHARACTERS_MAX)}…` : line}`;
}
