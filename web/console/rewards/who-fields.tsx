import { TributaryError } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { Choice } from '../../ui/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { t } from '../../words.ts';
import { CheckList } from './check-list.tsx';
import { useDraft, useFault, wordsOf } from './draft.ts';
import { PickMany, type Picked } from './pick-many.tsx';

const whos = ['everyone', 'groups', 'affiliates', 'coupons'] as const;
const whats = ['everything', 'products', 'categories', 'tags'] as const;

/** Whose orders, and which goods. */
export function WhoFields() {
  const { draft, set } = useDraft();
  const { who, what } = draft;
  const whoKind = whos.find((kind) => kind in who) ?? 'everyone';
  const whatKind = whats.find((kind) => kind in what) ?? 'everything';
  return (
    <>
      <Choice
        name="who"
        legend={t('console-rewards.who')}
        current={whoKind}
        options={whos.map((kind) => ({ value: kind, label: t(`console-rewards.who.${kind}`) }))}
        onChoose={(kind) => set({ who: kind === 'everyone' ? {} : { [kind]: [] } })}
      />
      {whoKind === 'groups' && <Groups />}
      {whoKind === 'affiliates' && (
        <PickMany
          name="who.affiliates"
          family="affiliates"
          label={t('console-rewards.who.affiliates')}
          hint={t('console.affiliateField')}
          chosen={who.affiliates ?? []}
          onChoose={(affiliates) => set({ who: { affiliates } })}
          search={searchAffiliates}
          get={(id) => unlessDeleted(async () => affiliateOf(await api.affiliates.get(id)))}
        />
      )}
      {whoKind === 'coupons' && (
        <PickMany
          name="who.coupons"
          family="coupons"
          label={t('console-rewards.who.coupons')}
          hint={t('console-rewards.couponHint')}
          chosen={who.coupons ?? []}
          onChoose={(coupons) => set({ who: { coupons } })}
          search={searchCoupons}
          get={(id) => unlessDeleted(async () => couponOf(await api.coupons.get(id)))}
        />
      )}
      <Choice
        name="what"
        legend={t('console-rewards.what')}
        current={whatKind}
        options={whats.map((kind) => ({ value: kind, label: t(`console-rewards.what.${kind}`) }))}
        onChoose={(kind) => set({ what: kind === 'everything' ? {} : { [kind]: [] } })}
      />
      {whatKind !== 'everything' && <Goods key={whatKind} kind={whatKind} />}
    </>
  );
}

/** Groups are named, in the rule as well; one that was deleted has its id only. */
function Groups() {
  const { draft, set } = useDraft();
  const chosen = draft.who.groups ?? [];
  const { data } = useData('groups', { per_page: 100 }, (input) => api.groups.list(input));
  const names: (string | number)[] = data?.items.map(({ name }) => name) ?? [];
  const all = [...new Set([...names, ...chosen])];
  if (data && all.length === 0) return <p class="muted">{t('console-rewards.noGroups')}</p>;
  return (
    <CheckList
      name="who.groups"
      label={t('console-rewards.who.groups')}
      chosen={chosen}
      options={all.map((value) => ({
        value,
        label: typeof value === 'string' ? value : t('console-rewards.deletedGroup', { id: value }),
      }))}
      onChoose={(groups) => set({ who: { groups } })}
    />
  );
}

function Goods({ kind }: { kind: 'products' | 'categories' | 'tags' }) {
  const { draft, set } = useDraft();
  const name = `what.${kind}`;
  return (
    <Field
      name={name}
      label={t(`console-rewards.ids.${kind}`)}
      hint={t('console-rewards.idsHint')}
      required
      autocomplete="off"
      autocapitalize="none"
      error={useFault(name)}
      defaultValue={draft.what[kind]?.join(', ')}
      onInput={(event) => set({ what: { [kind]: wordsOf(event.currentTarget.value) } })}
    />
  );
}

const FOUND = { per_page: 20 };

async function searchAffiliates(search: string): Promise<Picked[]> {
  return (await api.affiliates.search({ search, ...FOUND })).items.map(affiliateOf);
}

async function searchCoupons(search: string): Promise<Picked[]> {
  return (await api.coupons.search({ search, ...FOUND })).items.map(couponOf);
}

function affiliateOf({
  user,
}: {
  user: { id: number; login?: string | undefined; display_name: string };
}) {
  return { id: user.id, key: user.login ?? '', name: user.display_name };
}

function couponOf({ id, code }: { id: number; code: string }): Picked {
  return { id, key: code, name: code };
}

async function unlessDeleted(load: () => Promise<Picked>): Promise<Picked | undefined> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof TributaryError && error.status === 404) return undefined;
    throw error;
  }
}
