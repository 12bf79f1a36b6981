import { SelectField } from '../../ui/field.tsx';
import { optionsOf } from '../../ui/options.ts';
import { t } from '../../words.ts';
import { useDraft, type RuleDraft } from './draft.ts';
import { NumberField } from './number-field.tsx';
import { WindowFields } from './window-fields.tsx';

const kinds = ['none', 'payments', 'months', 'amount'] as const;
type Kind = (typeof kinds)[number];

const firstLimit: Readonly<Record<Kind, RuleDraft['limit']>> = {
  none: null,
  payments: { payments: NaN },
  months: { months: NaN },
  amount: { amount: NaN, per: 'affiliate', window: { kind: 'month' } },
};

/** What is beyond the limit earns nothing. */
export function LimitFields() {
  const { draft, set } = useDraft();
  const limit = draft.limit ?? {};
  const kind = kinds.find((one) => one in limit) ?? 'none';
  return (
    <div class="field-row">
      <SelectField
        name="limit"
        label={t('console-rewards.limit')}
        hint={t('console-rewards.limitHint')}
        required
        value={kind}
        options={optionsOf(kinds, (value) => t(`console-rewards.limit.${value}`))}
        onChange={({ currentTarget }) =>
          set({ limit: firstLimit[kinds.find((one) => one === currentTarget.value)!] })
        }
      />
      {kind !== 'none' && (
        <NumberField
          key={kind}
          name={`limit.${kind}`}
          label={t(`console-rewards.limit.${kind}.number`)}
          required
          value={limit[kind]}
          onNumber={(value) => set({ limit: { ...limit, [kind]: value } })}
        />
      )}
      {kind === 'amount' && (
        <>
          <SelectField
            name="limit.per"
            label={t('console-rewards.per')}
            required
            value={limit.per}
            options={optionsOf(['affiliate', 'customer'], (value) =>
              t(`console-rewards.per.${value}`),
            )}
            onChange={({ currentTarget: { value } }) =>
              set({ limit: { ...limit, per: value === 'customer' ? 'customer' : 'affiliate' } })
            }
          />
          <WindowFields
            name="limit.window"
            label={t('console-rewards.window')}
            window={limit.window ?? { kind: 'month' }}
            onWindow={(window) => set({ limit: { ...limit, window } })}
          />
        </>
      )}
    </div>
  );
}
