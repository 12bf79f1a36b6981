import { Link, useLocation } from 'wouter-preact';
import type { Group } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh, useData } from '../../data.ts';
import { formatMoney, formatRate } from '../../format.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { ItemList } from '../../ui/item-list.tsx';
import { t } from '../../words.ts';
import { DiscountFields, discountIn, RateFields, rateErrorOf, ratesIn } from '../rate-fields.tsx';
import { RewardTabs } from './reward-tabs.tsx';
import { PATH, useRules } from './rules.ts';

/** The groups of affiliates, with the rates and the discount that they have for themselves. The open one is the address. */
export function GroupList() {
  const address = useAddress(PATH);
  const [, navigate] = useLocation();
  const { data, error, retry } = useData('groups', { per_page: 100 }, (input) =>
    api.groups.list(input),
  );
  const create = (
    <Link class="button" data-kind="primary" href={address.hrefOf({ open: 'new' })}>
      {t('console-rewards.group.create')}
    </Link>
  );
  const groups = data?.items ?? [];
  const open = address.get('open');
  const group = groups.find(({ id }) => String(id) === open);
  return (
    <Screen title={t('console.nav.rewards')} aside={groups.length > 0 && create}>
      <RewardTabs current="groups" />
      <p class="muted">{t('console-rewards.group.how')}</p>
      <Card title={t('console-rewards.group.title')}>
        {!data && <Pending error={error} retry={retry} lines={3} height="3rem" />}
        {data && groups.length === 0 && (
          <EmptyState of="console-rewards.group.empty" action={create} />
        )}
        {groups.length > 0 && (
          <ItemList
            items={groups.map((one) => ({
              key: one.id,
              title: <Link href={address.hrefOf({ open: String(one.id) })}>{one.name}</Link>,
              detail: <Terms group={one} />,
              action: (
                <Link href={`/console/affiliates?group=${encodeURIComponent(one.name)}`}>
                  {t('console-rewards.group.members', { count: one.members })}
                </Link>
              ),
            }))}
          />
        )}
      </Card>
      {(open === 'new' || group) && (
        <GroupDialog
          key={open}
          group={group}
          onClose={() => navigate(address.hrefOf({ open: undefined }))}
        />
      )}
    </Screen>
  );
}

/** What the group has for itself, and the active rules for it. */
function Terms({ group }: { group: Group }) {
  const rules = useRules().data?.rules ?? [];
  const own = rules.filter(({ who, active }) => active && who?.groups?.includes(group.id));
  const terms = termsOf(group).join(' · ');
  return (
    <>
      {terms === '' && own.length === 0 ? t('console-rewards.group.noRates') : terms}
      {own.map(({ id, sentence }) => (
        <span key={id} class="group-rule">
          {sentence}
        </span>
      ))}
    </>
  );
}

function termsOf({ percent_override, fixed_per_order, fixed_per_product, discount }: Group) {
  const money = (name: 'perOrder' | 'perProduct', amount: number | null) =>
    amount !== null && t(`console-rewards.group.${name}`, { amount: formatMoney(amount) });
  const off =
    discount &&
    (discount.type === 'percent' ? formatRate(discount.amount) : formatMoney(discount.amount));
  return [
    percent_override !== null && formatRate(percent_override),
    money('perOrder', fixed_per_order),
    money('perProduct', fixed_per_product),
    off && t('console-rewards.group.discount', { discount: off }),
  ].filter((term) => term !== false && term !== null);
}

interface GroupDialogProps {
  /** Undefined for a new one. */
  group: Group | undefined;
  onClose(): void;
}

function GroupDialog({ group, onClose }: GroupDialogProps) {
  return (
    <Dialog title={group?.name ?? t('console-rewards.group.create')} onClose={onClose}>
      <Form
        action={t('common.save')}
        errorOf={rateErrorOf}
        submit={async (values, options) => {
          const input = { name: values['name']!, ...ratesIn(values), ...discountIn(values) };
          await (group
            ? api.groups.update(group.id, input, options)
            : api.groups.create(input, options));
          await refresh('groups', 'rewards', 'affiliates');
          onClose();
        }}
      >
        <Field
          name="name"
          label={t('console-rewards.name')}
          required
          maxLength={100}
          autocomplete="off"
          defaultValue={group?.name ?? ''}
        />
        <RateFields now={group} hint={t('console-rewards.group.rateHint')} />
        <DiscountFields now={group?.discount} none={t('console-rewards.group.discountNone')} />
      </Form>
    </Dialog>
  );
}
