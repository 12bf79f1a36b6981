import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { CallOptions, Payout } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { formatMoney } from '../../../web/format.ts';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Facts } from '../../../web/ui/facts.tsx';
import { Field } from '../../../web/ui/field.tsx';
import { Form, type FormValues } from '../../../web/ui/form.tsx';
import { Money } from '../../../web/ui/money.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { t } from '../../../web/words.ts';
import { namedAct, targets, type PayoutAct } from './payout-acts.ts';
import { methodName, reasonOf } from './payout-words.ts';

interface ActDialogProps {
  act: Exclude<PayoutAct, 'resolve'>;
  payout: Payout;
  onClose(): void;
  /** With what was done; without it, another person has changed the payout first. */
  onDone(sentence: string | undefined): Promise<void>;
}

/** Confirms a change of one payout, with what it means for the affiliate and for the money. */
export function ActDialog({ act, payout, onClose, onDone }: ActDialogProps) {
  const [refusal, setRefusal] = useState<Refusal>();
  const [, navigate] = useLocation();
  const name = namedAct(act, payout.status);
  const submit = async ({ reference = '' }: FormValues, options: CallOptions) => {
    if (act === 'retry') {
      const retry = await api.payouts.retry(payout.id, options);
      await refresh('payouts');
      navigate(`/console/payouts/${retry.id}`);
      return;
    }
    if (refusal?.code === IN_REVIEW) {
      await record(act, payout, reference, options);
      await onDone(t(`console-payouts.oneDone.${act}`));
      return;
    }
    const error = await change(act, payout, reference, options);
    if (error === undefined) await onDone(t(`console-payouts.oneDone.${act}`));
    else if (isOvertaken(error.code)) await onDone(undefined);
    else setRefusal(error);
  };
  return (
    <Dialog title={t(`console-payouts.one.${name}`)} onClose={onClose}>
      <Facts
        facts={[
          { name: t('console-payouts.affiliate'), value: payout.user.display_name },
          { name: t('console-payouts.amount'), value: <Money amount={payout.amount} /> },
          {
            name: t('console-payouts.method'),
            value: methodName(payout.method_type, payout.method),
          },
        ]}
      />
      <p>{t(`console-payouts.oneText.${name}`)}</p>
      {refusal !== undefined && (
        <Notice kind={refusal.code === IN_REVIEW ? 'warn' : 'bad'}>
          {refusal.code === IN_REVIEW
            ? `${refusal.message} ${t('console-payouts.recordAnyway')}`
            : reasonOf(refusal)}
        </Notice>
      )}
      <Form
        action={t(`console-payouts.oneNow.${name}`, { amount: formatMoney(payout.amount) })}
        kind={name === 'cancel' || name === 'reverse' ? 'danger' : 'primary'}
        submit={submit}
        isSilent={act !== 'retry'}
      >
        {act === 'pay' && (
          <Field
            name="reference"
            label={t('console-payouts.reference')}
            hint={t('console-payouts.referenceHint')}
            maxLength={100}
          />
        )}
      </Form>
    </Dialog>
  );
}

/** The review keeps the service from paying it, and not a person from recording what was paid. */
const IN_REVIEW = 'svc_api_payout_in_review';

function record(
  act: keyof typeof targets,
  { id }: Payout,
  reference: string,
  options: CallOptions,
): Promise<unknown> {
  const transaction_id = reference.trim() === '' ? {} : { transaction_id: reference };
  return api.payouts.setStatus(id, { status: targets[act], ...transaction_id }, options);
}

type Refusal = { readonly code: string; readonly message: string };

/** Changes the payout only if it is still as it is shown. */
async function change(
  act: keyof typeof targets,
  { id, status }: Payout,
  reference: string,
  options: CallOptions,
): Promise<Refusal | undefined> {
  const { items } = await api.payouts.batch(
    {
      ids: [id],
      status: targets[act],
      from: status,
      ...(reference.trim() !== '' && { transaction_id: reference }),
    },
    options,
  );
  return items[0]?.error ?? undefined;
}

function isOvertaken(code: string): boolean {
  return code === 'svc_api_conflict' || code === 'svc_api_no_change';
}
