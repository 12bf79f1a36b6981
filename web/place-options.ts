import { commonCurrencies, currencies } from '../src/web-contract/currencies.ts';
import { currentLanguage, t } from './words.ts';

/** Currencies to choose from, the common ones first. */
export function currencyGroups() {
  const names = new Intl.DisplayNames(currentLanguage(), { type: 'currency' });
  const option = (code: string) => ({ value: code, label: `${code} – ${names.of(code)}` });
  const others = currencies.filter((code) => !commonCurrencies.includes(code));
  return [
    { label: t('common.commonCurrencies'), options: commonCurrencies.map(option) },
    { label: t('common.otherCurrencies'), options: others.map(option) },
  ];
}

/** Time zones to choose from, by region. */
export function zoneGroups(zones: readonly string[]) {
  const regions = Map.groupBy(zones, (zone) => (zone.includes('/') ? zone.split('/')[0]! : 'UTC'));
  return [...regions].map(([label, list]) => ({
    label,
    options: list.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
  }));
}
