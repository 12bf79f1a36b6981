import { useState } from 'preact/hooks';
import type { Payout } from '../../../sdk/src/index.ts';
import { act } from '../../../web/act.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { useBusy } from '../../../web/ui/busy.ts';
import { Button } from '../../../web/ui/button.tsx';
import { t } from '../../../web/words.ts';

/** Where the money goes, masked. In full only when a person asks for it, which the change feed records. */
export function Destination({ payout }: { payout: Payout }) {
  const { id, user } = payout;
  const { data } = useData('payouts', { id, part: 'details' }, () =>
    api.affiliates.payoutDetails(user.id, { payout_id: id }),
  );
  const [details, setDetails] = useState<Readonly<Record<string, unknown>>>();
  const { isBusy, error, run } = useBusy();
  const reveal = async () => {
    const shown = await act(() =>
      api.affiliates.payoutDetails(user.id, { payout_id: id, reveal: true }),
    );
    setDetails(shown.details);
  };
  if (details) {
    return (
      <ul class="destination">
        {Object.entries(details).map(([name, value]) => (
          <li key={name}>{String(value)}</li>
        ))}
      </ul>
    );
  }
  return (
    <span class="destination">
      {data?.masked ?? '…'}
      <Button
        kind="quiet"
        aria-label={t('console-payouts.revealLabel')}
        busy={isBusy}
        onClick={() => run(reveal)}
      >
        {t('console-payouts.reveal')}
      </Button>
      {error && (
        <span class="field-fault" role="alert">
          {error}
        </span>
      )}
    </span>
  );
}
