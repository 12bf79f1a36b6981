import { html, type Html } from '../../../shared/html.ts';

const COMMON_CURRENCIES = 'EUR USD GBP CHF AUD CAD JPY SEK NOK DKK PLN CZK INR BRL MXN'.split(' ');

/** Options of a select, cached per chosen value, because rendering hundreds takes milliseconds. */
function optionsOnce(render: (chosen: string) => Html): (chosen: string) => Html {
  const made = new Map<string, Html>();
  return (given) => {
    const chosen = known.has(given) ? given : '';
    let options = made.get(chosen);
    if (!options) made.set(chosen, (options = render(chosen)));
    return options;
  };
}

const currencies = Intl.supportedValuesOf('currency');
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
const known = new Set([...currencies, ...zones]);

export const currencyOptions = optionsOnce((chosen) => {
  const names = new Intl.DisplayNames('en', { type: 'currency' });
  const option = (code: string) => toOption(code, `${code} – ${names.of(code)}`, chosen);
  const others = currencies.filter((code) => !COMMON_CURRENCIES.includes(code));
  return html`<optgroup label="Common">${COMMON_CURRENCIES.map(option)}</optgroup>
    <optgroup label="All others">${others.map(option)}</optgroup>`;
});

export const timeZoneOptions = optionsOnce((chosen) => {
  const regions = Map.groupBy(zones, (zone) => (zone.includes('/') ? zone.split('/')[0]! : 'UTC'));
  return html`${[...regions].map(
    ([region, list]) =>
      html`<optgroup label="${region}">
        ${list.map((zone) => toOption(zone, zone.replaceAll('_', ' '), chosen))}
      </optgroup>`,
  )}`;
});

/** The time zone of this machine, if it is in the list. */
export function ownTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return zones.includes(timeZone) ? timeZone : 'UTC';
}

function toOption(value: string, label: string, chosen: string): Html {
  return html`<option value="${value}" ${value === chosen && html`selected`}>${label}</option>`;
}
