import { useState } from 'preact/hooks';
import { api } from '../../../web/api.ts';
import { refresh, useData } from '../../../web/data.ts';
import { Pending } from '../../../web/ui/error-state.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { t } from '../../../web/words.ts';
import '../../../web/ui/choice.css';

const methods = ['banktransfer', 'paypal', 'wise', 'stripe', 'credit'] as const;

/** Saves which methods affiliates can choose, and remembers that the team has decided. */
export function MethodStep() {
  const { data, error, retry } = useData('settings', { part: 'methods' }, () => api.settings.get());
  const [isEmpty, setEmpty] = useState(false);
  if (!data) return <Pending error={error} retry={retry} lines={5} />;
  const current: readonly string[] = data['payouts.methods'] ?? [];
  return (
    <>
      <p class="muted">{t('console-overview.method.text')}</p>
      <Form
        action={t('console-overview.method.save')}
        submit={async (values, options) => {
          const chosen = methods.filter((method) => values[method] === 'on');
          setEmpty(chosen.length === 0);
          if (chosen.length === 0) return;
          const others = current.filter((method) => !methods.some((known) => known === method));
          const confirmed = new Set([...data['console.confirmed_steps'], 'payout_method']);
          const input = {
            'payouts.methods': [...chosen, ...others],
            'console.confirmed_steps': [...confirmed],
          };
          await api.settings.update(input, options);
          await refresh('overview', 'events', 'settings');
        }}
      >
        <fieldset class="choice">
          <legend>{t('console-overview.method.legend')}</legend>
          {methods.map((method) => (
            <label key={method}>
              <input type="checkbox" name={method} defaultChecked={current.includes(method)} />
              <span>{t(`console-overview.method.${method}`)}</span>
            </label>
          ))}
          {isEmpty && <Notice kind="warn">{t('console-overview.method.none')}</Notice>}
        </fieldset>
      </Form>
    </>
  );
}
