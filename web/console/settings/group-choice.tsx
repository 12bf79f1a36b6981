import { Link, useLocation } from 'wouter-preact';
import type { Address } from '../../frame/address.ts';
import { t } from '../../words.ts';
import { draft } from './draft.ts';
import type { SettingForm } from './setting-schema.ts';

const sections = ['store', 'program', 'money', 'technology'] as const;
type Section = (typeof sections)[number];

/** What every installation has, and add-ons of its own. Those of extensions are technology. */
const sectionOf: Readonly<Record<string, Section>> = {
  store: 'store',
  brand: 'store',
  program: 'store',
  stores: 'store',
  applications: 'program',
  attribution: 'program',
  personal_pages: 'program',
  multilevel: 'program',
  leaderboard: 'program',
  commission: 'money',
  payouts: 'money',
  'bank-files': 'money',
  gateways: 'money',
};

type Group = SettingForm['groups'][number];

export function inSections(groups: readonly Group[]): { section: Section; groups: Group[] }[] {
  return sections
    .map((section) => ({
      section,
      groups: groups.filter(({ name }) => (sectionOf[name] ?? 'technology') === section),
    }))
    .filter((one) => one.groups.length > 0);
}

interface GroupChoiceProps {
  address: Address;
  form: SettingForm;
  /** Undefined while a search shows settings of several groups. */
  current: string | undefined;
}

/** The groups under a few headings: beside the settings a list, on a phone a field. */
export function GroupChoice({ address, form, current }: GroupChoiceProps) {
  const [, navigate] = useLocation();
  const hrefOf = (group: string) => address.hrefOf({ group, q: undefined });
  const parts = inSections(form.groups).map(({ section, groups }) => ({
    label: t(`console-settings.section.${section}`),
    groups: groups.map((group) => ({ ...group, isChanged: hasChange(form, group.name) })),
  }));
  return (
    <>
      <nav class="settings-groups" aria-label={t('console-settings.groups')}>
        {parts.map(({ label, groups }) => (
          <div key={label} role="group" aria-label={label}>
            <p class="settings-section" aria-hidden>
              {label}
            </p>
            {groups.map(({ name, title, isChanged }) => (
              <Link
                key={name}
                href={hrefOf(name)}
                aria-current={name === current ? 'true' : undefined}
              >
                {title}
                {isChanged && <span class="changed-dot" title={t('console-settings.changed')} />}
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <div class="filter-bar settings-choice">
        <select
          aria-label={t('console-settings.groups')}
          value={current ?? ''}
          onChange={(event) => navigate(hrefOf(event.currentTarget.value))}
        >
          {current === undefined && <option value="">{t('console-settings.groups')}</option>}
          {parts.map(({ label, groups }) => (
            <optgroup key={label} label={label}>
              {groups.map(({ name, title, isChanged }) => (
                <option key={name} value={name}>
                  {isChanged ? `${title} (${t('console-settings.changed')})` : title}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
    </>
  );
}

function hasChange({ settings }: SettingForm, group: string): boolean {
  const changes = draft.value?.changes ?? {};
  return settings.some((setting) => setting.group === group && setting.key in changes);
}
