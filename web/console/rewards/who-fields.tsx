import { TributaryError, type RewardWho } from '../../../sdk/src/index.ts';
import { whoKinds } from '../../../src/web-contract/reward-kinds.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { Choice } from '../../ui/choice.tsx';
import { optionsOf } from '../../ui/options.ts';
import { t } from '../../words.ts';
import { CheckList } from './check-list.tsx';
import { PickMany, type Picked } from './pick-many.tsx';

const whos = ['everyone', ...whoKinds] as const;

interface WhoFieldsProps {
  who: RewardWho;
  onWho(who: RewardWho): void;
}

/** Which affiliates, also by their groups or coupons. */
export function WhoFields({ who, onWho }: WhoFieldsProps) {
  const whoKind = whos.find((kind) => kind in who) ?? 'everyone';
  return (
    <>
      <Choice
        name="who"
        legend={t('console-rewards.who')}
        current={whoKind}
        options={optionsOf(whos, (kind) => t(`console-rewards.who.${kind}`))}
        onChoose={(kind) => onWho(kind === 'everyone' ? {} : { [kind]: [] })}
      />
      {whoKind === 'groups' && <Groups chosen={who.groups ?? []} onWho={onWho} />}
      {whoKind === 'affiliates' && (
        <PickMany
          name="who.affiliates"
          family="affiliates"
          label={t('console-rewards.who.affiliates')}
          hint={t('console.affiliateField')}
          chosen={who.affiliates ?? []}
          onChoose={(affiliates) => onWho({ affiliates })}
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
          onChoose={(coupons) => onWho({ coupons })}
          search={searchCoupons}
          get={(id) => unlessDeleted(async () => couponOf(await api.coupons.get(id)))}
        />
      )}
    </>
  );
}

interface GroupsProps extends Pick<WhoFieldsProps, 'onWho'> {
  chosen: readonly (string | number)[];
}

/** Groups are named, in the rule as well; one that was deleted has its id only. */
function Groups({ chosen, onWho }: GroupsProps) {
  const { data } = useData('groups', { per_page: 100 }, (input) => api.groups.list(input));
  const names: (string | number)[] = data?.items.map(({ name }) => name) ?? [];
  const all = [...new Set([...names, ...chosen])];
  if (data && all.length === 0) return <p class="muted">{t('console-rewards.noGroups')}</p>;
  return (
    <CheckList
      name="who.groups"
      label={t('console-rewards.who.groups')}
      chosen={chosen}
      options={optionsOf(all, (value) =>
        typeof value === 'string' ? value : t('console-rewards.deletedGroup', { id: value }),
      )}
      onChoose={(groups) => onWho({ groups })}
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
