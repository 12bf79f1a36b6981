import type { HttpResponse } from '../../../kernel/declare/http-response.ts';
import { page } from '../../../kernel/present/html-page.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { html, type Html } from '../../../shared/html.ts';
import { PASSWORD_LENGTH_MIN } from '../../users/index.ts';
import {
  storeFields,
  type SetupFaults,
  type SetupField,
  type SetupValues,
} from './setup-fields.ts';
import { currencyOptions, ownTimeZone, timeZoneOptions } from './setup-lists.ts';

interface Filled {
  token: string;
  values: SetupValues;
  faults?: SetupFaults;
  /** Faults that belong to no single field. */
  message?: string;
  status?: number;
}

/** Initial values of the form: stored or configured values, or a suggestion. */
export function firstValues({ settings }: Site): SetupValues {
  const stored = (field: 'store_name' | 'store_url') => settings.stored(storeFields[field]) ?? '';
  const decided = (field: 'currency' | 'timezone') => {
    const setting = storeFields[field];
    return settings.isFixed(setting) ? settings.get(setting) : settings.stored(setting);
  };
  return {
    store_name: stored('store_name'),
    store_url: stored('store_url'),
    // Not suggested, because it cannot change once amounts are stored.
    currency: decided('currency') ?? '',
    timezone: decided('timezone') ?? ownTimeZone(),
    login: 'admin',
    email: '',
    password: '',
  };
}

const labels: Record<SetupField, string> = {
  store_name: 'Store name',
  store_url: 'Store address',
  currency: 'Currency',
  timezone: 'Time zone',
  login: 'Login',
  email: 'E-mail address',
  password: 'Password',
};

export function setupForm(
  site: Site,
  { token, values, faults = {}, ...rest }: Filled,
): HttpResponse<string> {
  const { message, status } = rest;
  const field = new FieldRenderer(site, values, faults);
  const body = html`<h1>Welcome to Tributary</h1>
    <p>Tell us about your store and make the first administrator. This link works once.</p>
    ${summary(faults, message)}
    <form method="post" action="/setup">
      <input type="hidden" name="token" value="${token}" />
      <fieldset>
        <legend>Your store</legend>
        ${field.input('store_name', html`autocomplete="organization"`)}
        ${field.input(
          'store_url',
          html`type="url" autocomplete="url" placeholder="https://store.example"`,
          'Where your customers shop. Links of affiliates lead there.',
        )}
        ${field.select(
          'currency',
          html`<option value="">Choose…</option>
            ${currencyOptions(values.currency)}`,
          'Of all commissions and payouts. It cannot change after the first order.',
        )}
        ${field.select(
          'timezone',
          timeZoneOptions(values.timezone),
          'Days in reports and statistics begin at midnight there.',
        )}
      </fieldset>
      <fieldset>
        <legend>Your account</legend>
        ${field.input(
          'login',
          html`autocomplete="username" autocapitalize="none" spellcheck="false"`,
        )}
        ${field.input('email', html`type="email" autocomplete="email"`)}
        ${field.input(
          'password',
          html`type="password" autocomplete="new-password" minlength="${PASSWORD_LENGTH_MIN}"`,
          `At least ${PASSWORD_LENGTH_MIN} characters.`,
        )}
      </fieldset>
      <button>Finish setup</button>
    </form>`;
  return page('Set up Tributary', body, {
    ...(status !== undefined && { status }),
    headers: { 'Cache-Control': 'no-store' },
  });
}

function summary(faults: SetupFaults, message: string | undefined): Html | undefined {
  const entries = Object.entries(faults) as [SetupField, string][];
  if (entries.length === 0 && message === undefined) return undefined;
  return html`<div class="fault" role="alert">
    ${message !== undefined && html`<p>${message}</p>`}
    ${
      entries.length > 0 &&
      html`<p>Please check:</p>
        <ul>
          ${entries.map(([name]) => html`<li><a href="#${name}">${labels[name]}</a></li>`)}
        </ul>`
    }
  </div>`;
}

/** Fields with label, hint and fault; hint and fault are linked to the field for screen readers. */
class FieldRenderer {
  readonly #site: Site;
  readonly #values: SetupValues;
  readonly #faults: SetupFaults;

  constructor(site: Site, values: SetupValues, faults: SetupFaults) {
    this.#site = site;
    this.#values = values;
    this.#faults = faults;
  }

  input(name: SetupField, attributes: Html, hint?: string): Html {
    const value = name === 'password' ? '' : this.#values[name];
    const control = html`<input ${this.#common(name, hint)} value="${value}" ${attributes} />`;
    return this.#around(name, control, hint);
  }

  select(name: 'currency' | 'timezone', options: Html, hint: string): Html {
    if (this.#site.settings.isFixed(storeFields[name])) {
      const value = this.#values[name];
      return html`<p>${labels[name]}: <strong>${value}</strong>, given by the configuration.</p>
        <input type="hidden" name="${name}" value="${value}" />`;
    }
    const control = html`<select ${this.#common(name, hint)}>
      ${options}
    </select>`;
    return this.#around(name, control, hint);
  }

  #common(name: SetupField, hint: string | undefined): Html {
    const isFaulty = this.#faults[name] !== undefined;
    const described = [hint && `${name}-hint`, isFaulty && `${name}-fault`].filter(Boolean);
    return html`id="${name}" name="${name}" required
    ${described.length > 0 && html`aria-describedby="${described.join(' ')}"`}
    ${isFaulty && html`aria-invalid="true"`}`;
  }

  #around(name: SetupField, control: Html, hint: string | undefined): Html {
    const fault = this.#faults[name];
    return html`<label for="${name}">${labels[name]}</label> ${control}
      ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
      ${fault && html`<p class="fault" id="${name}-fault">${fault}</p>`}`;
  }
}
