import type { ApiError } from '../../kernel/declare/errors.ts';
import type { HttpResponse } from '../../kernel/declare/http-response.ts';
import { page } from '../../kernel/present/html-page.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { html, type Html } from '../../shared/html.ts';
import { siteName } from '../meta/index.ts';

const formFields = [
  'login',
  'email',
  'display_name',
  'website',
  'coupon_code',
  'promote',
  'referrer',
] as const;
export type FormField = (typeof formFields)[number];
export type FormValues = Record<FormField, string>;

interface ControlOptions {
  label: string;
  hint?: string;
  required?: boolean;
  type?: string;
  autocomplete?: string;
  lines?: number;
}

const controls: Record<FormField, ControlOptions> = {
  login: {
    label: 'Login',
    hint: 'Letters, digits, dots, dashes and underscores, at most 60.',
    required: true,
    autocomplete: 'username',
  },
  email: { label: 'E-mail address', required: true, type: 'email', autocomplete: 'email' },
  display_name: { label: 'Your name', required: true, autocomplete: 'name' },
  website: {
    label: 'Website or profile',
    hint: 'A URL that starts with https://.',
    autocomplete: 'url',
  },
  coupon_code: {
    label: 'Coupon code you would like',
    hint: "No spaces. If you leave it empty, we'll choose one for you.",
  },
  promote: { label: 'How will you promote the store?', lines: 5 },
  referrer: { label: 'How did you find us?' },
};

// `Object.fromEntries` types its keys as plain strings.
export const emptyForm = Object.fromEntries(formFields.map((name) => [name, ''])) as FormValues;

export function applicationForm(
  site: Site,
  values: FormValues,
  fault?: ApiError,
): HttpResponse<string> {
  const name = site.settings.get(siteName);
  const reasons = reasonsOf(fault);
  const title = `Join the ${name} affiliate program`;
  const body = html`<h1>${title}</h1>
    <p class="lead">Tell us a little about yourself. It only takes two minutes.</p>
    ${fault && html`<p class="fault" role="alert">${alertOf(fault, reasons)}</p>`}
    <form method="post" action="/apply">
      ${formFields.map((field) => control(field, values[field], reasons[field]))}
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
  const { label, required, type = 'text', autocomplete = 'off', lines } = controls[field];
  // The hint is left out if the error message repeats it.
  const hint = reason?.includes(controls[field].hint ?? '') ? undefined : controls[field].hint;
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
  // Errors about parameters carry a reason per name.
  return typeof params === 'object' && params !== null ? (params as Record<string, string>) : {};
}

function alertOf(fault: ApiError, reasons: Record<string, string>): string {
  const labels = formFields.filter((name) => reasons[name]).map((name) => controls[name].label);
  return labels.length > 0 ? `Please check: ${labels.join(', ')}.` : fault.message;
}

export function applicationReceived(site: Site, isAccepted: boolean): HttpResponse<string> {
  const name = site.settings.get(siteName);
  const next = isAccepted
    ? "You're in! We've emailed you your coupon code and your referral link."
    : "We'll review your application and email you our decision.";
  const body = html`<h1>Thank you for applying</h1>
    <p class="lead">${next}</p>
    <p><a href="/">Back to the ${name} affiliate program</a></p>`;
  return page('Thank you for applying', body, { status: 201 });
}

export function applicationsClosed(site: Site): HttpResponse<string> {
  const name = site.settings.get(siteName);
  const body = html`<h1>Applications are closed</h1>
    <p class="lead">The ${name} affiliate program is not accepting applications right now.</p>
    <p><a href="/">Back to the ${name} affiliate program</a></p>`;
  return page('Applications are closed', body, { status: 403 });
}
