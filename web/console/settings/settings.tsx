import { useLocation } from 'wouter-preact';
import type { TeamGuide } from '../../../src/web-contract/guides.ts';
import { useAddress, type Address } from '../../frame/address.ts';
import { lazyScreen } from '../../frame/lazy-screen.tsx';
import { Screen } from '../../frame/screen.tsx';
import { usePreload } from '../../frame/use-preload.ts';
import { useData } from '../../data.ts';
import { useSession } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { t } from '../../words.ts';
import { addonGroupGuides } from '../addon-parts.ts';
import { discard, draft, errors, resets } from './draft.ts';
import { useEffects, type Effects } from './effects.ts';
import { GroupChoice, inSections } from './group-choice.tsx';
import { SettingField } from './setting-field.tsx';
import {
  loadForm,
  loadSettings,
  type SettingForm,
  type SettingSchema,
  type Version,
} from './setting-schema.ts';
import './settings.css';

// What single groups have, and what comes after a change.
const brand = lazyScreen(async () => (await import('./brand.tsx')).Brand);
const programPicture = lazyScreen(async () => (await import('./program-page.tsx')).ProgramPicture);
const sectionsPreview = lazyScreen(
  async () => (await import('./program-page.tsx')).SectionsPreview,
);
const review = lazyScreen(async () => (await import('./review.tsx')).Review);

/** Groups about which there is a guide of its own. */
const groupGuides: Readonly<Record<string, TeamGuide>> = {
  brand: 'owner#emails-and-brand',
  program: 'owner#emails-and-brand',
  applications: 'owner#applications',
  attribution: 'links-and-clicks',
  ...addonGroupGuides,
};

/** The settings that the person may change, in groups, with the effect of each change before it is saved. */
export function Settings() {
  const { account } = useSession();
  const address = useAddress('/console/settings');
  usePreload(review);
  const form = useData('settings', { part: 'schema' }, () => loadForm(account.role));
  const stored = useData('settings', {}, loadSettings);
  const failed = [form, stored].find(({ data, error }) => !data && error !== undefined);
  return (
    <Screen title={t('console.nav.settings')} guide={groupGuides[address.get('group')]}>
      <FilterBar address={address} search={t('console-settings.search')} />
      {form.data && stored.data ? (
        <Groups address={address} form={form.data} version={draft.value?.base ?? stored.data} />
      ) : (
        <Card>
          {failed ? (
            <ErrorState error={failed.error} retry={failed.retry} />
          ) : (
            <Skeleton lines={10} height="2.5rem" />
          )}
        </Card>
      )}
    </Screen>
  );
}

/** These have fields of their own, with a preview. */
const WITH_OWN_FIELD = new Set(['brand.accent', 'brand.logo', 'program.picture']);

interface GroupsProps {
  address: Address;
  form: SettingForm;
  version: Version;
}

function Groups({ address, form, version }: GroupsProps) {
  const query = address.get('q').toLowerCase();
  const names = inSections(form.groups).flatMap(({ groups }) => groups.map(({ name }) => name));
  const current = address.oneOf('group', names) ?? names[0]!;
  const effects = useEffects(draft.value?.changes ?? {});
  const shown = form.groups.filter(({ name }) => query !== '' || name === current);
  const matches = ({ key, title, help }: SettingSchema) =>
    query === '' || `${key} ${title} ${help}`.toLowerCase().includes(query);
  const parts = shown
    .map((group) => ({
      ...group,
      settings: form.settings.filter((one) => one.group === group.name && matches(one)),
    }))
    .filter(({ settings }) => settings.length > 0);
  return (
    <div class="settings">
      <GroupChoice address={address} form={form} current={query === '' ? current : undefined} />
      <div class="settings-parts" key={resets.value}>
        {parts.length === 0 && (
          <Card>
            <EmptyState title={t('console-settings.noMatch')}>
              {t('console-settings.noMatchText')}
            </EmptyState>
          </Card>
        )}
        {parts.map(({ name, title, settings }) => (
          <Card key={name} labelledBy={`group-${name}`}>
            <h2 id={`group-${name}`}>{title}</h2>
            {name === 'brand' && <brand.View version={version} />}
            {name === 'program' && (
              <programPicture.View headline={String(version.values['program.headline'])} />
            )}
            {settings
              .filter(({ key }) => !WITH_OWN_FIELD.has(key))
              .map((setting) => (
                <OneSetting key={setting.key} {...{ setting, version, effects }} />
              ))}
          </Card>
        ))}
      </div>
      <ChangesBar address={address} effects={effects} />
      {address.get('review') !== '' && draft.value && (
        <review.View address={address} form={form} effects={effects} />
      )}
    </div>
  );
}

interface OneSettingProps {
  setting: SettingSchema;
  version: Version;
  effects: Effects;
}

/** A field, and below it what its change would lead to. */
function OneSetting({ setting, version, effects }: OneSettingProps) {
  const { key } = setting;
  const changes = draft.value?.changes ?? {};
  const isChanged = key in changes;
  const value = isChanged ? changes[key] : version.values[key];
  const texts = isChanged ? (effects.texts.get(key) ?? []) : [];
  return (
    <div class="setting" data-changed={isChanged}>
      <SettingField
        setting={setting}
        version={version}
        value={value}
        refusal={isChanged ? effects.refusals[key] : undefined}
      />
      {key === 'program.sections' && <sectionsPreview.View text={String(value)} />}
      <div class="setting-effect" role="status" data-refused={effects.blocked.has(key)}>
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    </div>
  );
}

/** Says that something is not saved, wherever on the screen the person is. */
function ChangesBar({ address, effects }: { address: Address; effects: Effects }) {
  const [, navigate] = useLocation();
  const count = Object.keys(draft.value?.changes ?? {}).length;
  if (count === 0) return null;
  const isInvalid = Object.keys({ ...errors.value, ...effects.refusals }).length > 0;
  return (
    <div class="changes-bar">
      <p>{t('console-settings.changes', { count })}</p>
      <Button kind="quiet" onClick={discard}>
        {t('console-settings.discard')}
      </Button>
      <Button busy={isInvalid} onClick={() => navigate(address.hrefOf({ review: '1' }))}>
        {t('console-settings.review')}
      </Button>
    </div>
  );
}
