import type { ApiError } from '../../kernel/declare/errors.ts';
import type { HttpResponse } from '../../kernel/declare/http-response.ts';
import { page } from '../../kernel/present/html-page.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { html, type Html } from '../../shared/html.ts';
import { siteName } from '../meta/index.ts';

export const formFields = [
  'login',
  'email',
  'display_name',
  'website',
  'coupon_code',
  'promote',
  'referrer',
] as const;
export type FormField = (typeof formFields)[number];
export type Filled = Record<FormField, string>;

interface Look {
  label: string;
  hint?: string;
  required?: boolean;
  type?: string;
  autocomplete?: string;
  lines?: number;
}

const looks: Record<FormField, Look> = {
  login: {
    label: 'Login',
    hint: 'Letters, digits, dot, dash and underscore, at most 60.',
    required: true,
    autocomplete: 'username',
  },
  email: { label: 'E-mail address', required: true, type: 'email', autocomplete: 'email' },
  display_name: { label: 'Your name', required: true, autocomplete: 'name' },
  website: {
    label: 'Website or profile',
    hint: 'An address that begins with https://.',
    autocomplete: 'url',
  },
  coupon_code: {
    label: 'Coupon code you would like',
    hint: 'Without spaces. If you leave it empty, we choose one.',
  },
  promote: { label: 'How will you promote the store?', lines: 5 },
  referrer: { label: 'Where did you hear of the program?' },
};

export const nothingFilled = Object.fromEntries(
  formFields.map((name) => [name, '']),
) as unknown as Filled;

export function applicationForm(
  site: Site,
  filled: Filled,
  fault?: ApiError,
): HttpResponse<string> {
  const name = site.settings.get(siteName);
  const reasons = reasonsOf(fault);
  const title = `Become an affiliate of ${name}`;
  const body = html`<h1>${title}</h1>
    <p class="lead">Tell us a little about yourself. It takes two minutes.</p>
    ${fault && html`<p class="fault" role="alert">${alertOf(fault, reasons)}</p>`}
    <form method="post" action="/apply">
      ${formFields.map((field) => control(field, filled[field], reasons[field]))}
      <div hidden>
        <label for="homepage">Leave this empty</label>
        <input id="homepage" name="homepage" tabindex="-1" autocomplete="off" />
      </div>
      <button>Apply</button>
    </form>`;
  return page(fault ? `Please check: ${title}` : title, body, {
    ...(fault && { status: fault.definition.status }),
    ...(fault?.definition.status === 429 && { headers: { 'Retry-After': '60' } }),
  });
}

function control(field: FormField, value: string, reason: string | undefined): Html {
  const { label, required, type = 'text', autocomplete = 'off', lines } = looks[field];
  // Where the reason repeats the hint, one of them is enough.
  const hint = reason?.includes(looks[field].hint ?? '') ? undefined : looks[field].hint;
  const described = [hint && `${field}-hint`, reason && `${field}-fault`].filter(Boolean).join(' ');
  const attributes = html`id="${field}" name="${field}" autocomplete="${autocomplete}"
  ${required && html`required`} ${reason && html`aria-invalid="true"`}
  ${described && html`aria-describedby="${described}"`}`;
  return html`<label for="${field}">${label}${!required && html` <small>(optional)</small>`}</label>
    ${
      lines
        ? html`<textarea ${attributes} rows="${lines}">${value}</textarea>`
        : html`<input type="${type}" ${attributes} value="${value}" />`
    }
    ${hint && html`<p class="hint" id="${field}-hint">${hint}</p>`}
    ${reason && html`<p class="fault" id="${field}-fault">${label} ${reason}</p>`}`;
}

function reasonsOf(fault: ApiError | undefined): Record<string, string> {
  const params = fault?.data['params'];
  return typeof params === 'object' && params !== null ? (params as Record<string, string>) : {};
}

function alertOf(fault: ApiError, reasons: Record<string, string>): string {
  const labels = formFields.filter((name) => reasons[name]).map((name) => looks[name].label);
  return labels.length > 0 ? `Please look again at: ${labels.join(', ')}.` : fault.message;
}

export function applicationTaken(site: Site, isAccepted: boolean): HttpResponse<string> {
  const name = site.settings.get(siteName);
  const next = isAccepted
    ? 'You are an affiliate now. A mail with your coupon code and your link is on its way.'
    : 'We review every application and will e-mail you as soon as we have decided.';
  const body = html`<h1>Thank you for applying</h1>
    <p class="lead">${next}</p>
    <p><a href="/">Back to the affiliate program of ${name}</a></p>`;
  return page('Thank you for applying', body, { status: 201 });
}

export function applicationsClosed(site: Site): HttpResponse<string> {
  const name = site.settings.get(siteName);
  const body = html`<h1>No applications at present</h1>
    <p class="lead">The affiliate program of ${name} takes no applications at the moment.</p>
    <p><a href="/">Back to the affiliate program of ${name}</a></p>`;
  return page('No applications at present', body, { status: 403 });
}
