import { Link } from 'wouter-preact';
import type { Overview } from '../../../sdk/src/index.ts';
import { act } from '../../act.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { useAddress } from '../../frame/address.ts';
import { useBusy } from '../../ui/busy.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { hasWord, t } from '../../words.ts';
import { addonFirstSteps, type FirstStep } from '../addon-parts.ts';
import { AffiliateStep } from './affiliate-step.tsx';
import { BackupStep, MailStep } from './command-steps.tsx';
import { OrderStep } from './order-step.tsx';
import './checklist.css';

type Step = Overview['steps'][number];

const known: Readonly<Record<string, FirstStep>> = {
  affiliate: { position: 10, Body: AffiliateStep },
  order: { position: 20, Body: OrderStep },
  mail: { position: 40, Body: MailStep },
  backup: { position: 50, Body: BackupStep },
  ...addonFirstSteps,
};

const names = Object.keys(known);
const LAST = 1_000;
/** Those of extensions, which are not known, come last. */
const positionOf = ({ name }: Step) => known[name]?.position ?? LAST;

/** What a new store does first. The open step is in the address; without one it is the first that is not done. */
export function Checklist({ steps }: { steps: readonly Step[] }) {
  const address = useAddress('/console');
  const sorted = steps.toSorted((a, b) => positionOf(a) - positionOf(b));
  const wanted = address.get('step');
  const open = sorted.find(({ name }) => name === wanted) ?? sorted.find(({ done }) => !done);
  const done = steps.filter((step) => step.done).length;
  return (
    <Card labelledBy="steps">
      <div class="card-head">
        <h2 id="steps">{t('console-overview.steps.title')}</h2>
        <span class="muted figures">
          {t('console-overview.steps.progress', { done, all: steps.length })}
        </span>
      </div>
      <ol class="checklist">
        {sorted.map((step) => (
          <li key={step.name} data-done={step.done} data-open={step === open}>
            <Link
              class="checklist-title"
              href={address.hrefOf({ step: step.name })}
              aria-expanded={step === open}
            >
              <span class="checklist-mark">
                {step.done && <CheckIcon aria-label={t('console-overview.steps.done')} />}
              </span>
              {titleOf(step)}
            </Link>
            {step === open && <StepBody step={step} />}
          </li>
        ))}
      </ol>
      <div>
        <ConfirmButton names={names} label={t('console-overview.steps.hide')} />
      </div>
    </Card>
  );
}

function titleOf({ name, title }: Step): string {
  const key = `console-overview.step.${name}`;
  return hasWord(key) ? t(key) : title;
}

function StepBody({ step: { name, done } }: { step: Step }) {
  const Body = known[name]?.Body;
  return (
    <div class="checklist-body">
      {Body && <Body />}
      {!done && (
        <ConfirmButton
          names={[name]}
          label={
            name === 'backup'
              ? t('console-overview.steps.confirm')
              : t('console-overview.steps.later')
          }
        />
      )}
    </div>
  );
}

function ConfirmButton({ names: confirmed, label }: { names: readonly string[]; label: string }) {
  const { isBusy, error, run } = useBusy();
  const confirm = () => run(() => confirmSteps(confirmed));
  return (
    <>
      {error && <Notice kind="bad">{error}</Notice>}
      <Button kind="quiet" type="button" busy={isBusy} onClick={confirm}>
        {label}
      </Button>
    </>
  );
}

/** Remembers for the whole team that these steps are done. */
async function confirmSteps(confirmed: readonly string[]): Promise<void> {
  await act(async (options) => {
    const settings = await api.settings.get();
    const before = settings['console.confirmed_steps'];
    const after = [...new Set([...before, ...confirmed])];
    await api.settings.update({ 'console.confirmed_steps': after }, options);
  });
  await refresh('overview', 'events');
}
