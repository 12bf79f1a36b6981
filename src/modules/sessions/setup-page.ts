import type { ApiError } from '../../kernel/errors.ts';
import type { Answer } from '../../kernel/operation.ts';
import { page } from '../../kernel/page.ts';
import { html } from '../../shared/html.ts';
import { PASSWORD_LENGTH_MIN } from '../users/index.ts';

interface Filled {
  token: string;
  login?: string;
  email?: string;
  fault?: ApiError;
}

export function setupForm({ token, login = 'admin', email = '', fault }: Filled): Answer {
  const body = html`<h1>Welcome to Tributary</h1>
    <p>Make the first administrator. This link works once.</p>
    ${fault && html`<p class="fault" role="alert">${reasonsOf(fault)}</p>`}
    <form method="post" action="/setup">
      <input type="hidden" name="token" value="${token}" />
      <label for="login">Login</label>
      <input id="login" name="login" value="${login}" autocomplete="username" required />
      <label for="email">E-mail address</label>
      <input id="email" name="email" type="email" value="${email}" autocomplete="email" required />
      <label for="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="new-password"
        minlength="${PASSWORD_LENGTH_MIN}"
        aria-describedby="password-hint"
        required
      />
      <p class="hint" id="password-hint">At least ${PASSWORD_LENGTH_MIN} characters.</p>
      <button>Create administrator</button>
    </form>`;
  return page('Set up Tributary', body, fault && { status: fault.definition.status });
}

/** Every fault in words: the reasons where there are any, else the message. */
function reasonsOf(fault: ApiError): string {
  const params = fault.data['params'];
  if (typeof params !== 'object' || params === null) return fault.message;
  return Object.entries(params)
    .map(([name, reason]) => `${name} ${reason}`)
    .join('; ');
}

export function setupOver(): Answer {
  const body = html`<h1>This setup link is not valid</h1>
    <p>It was used already, or it is older than 30 minutes.</p>
    <p>If there is no administrator yet, start the service again: it prints a new link. Or run:</p>
    <pre>./tributary admin create --login admin --email you@example.com</pre>`;
  return page('Set up Tributary', body, { status: 410 });
}
