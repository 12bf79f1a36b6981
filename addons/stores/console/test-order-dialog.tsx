import { useState } from 'preact/hooks';
import type { StoreConnection, TestedStoreOrder } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { t } from '../../../web/words.ts';
import { OrderFields, useFirstCode } from '../../../web/console/tried-order/order-fields.tsx';
import { TriedOrder } from '../../../web/console/tried-order/tried-order.tsx';
import { askStore } from './ask-store.ts';
import { StepList } from './step-list.tsx';

interface TestOrderDialogProps {
  connection: StoreConnection;
  onClose(): void;
}

/** Lets an order as the store would send it go the whole way, and shows whom it is credited to. */
export function TestOrderDialog({ connection: { id }, onClose }: TestOrderDialogProps) {
  const [tested, setTested] = useState<TestedStoreOrder>();
  const [refusal, setRefusal] = useState<string>();
  const code = useFirstCode();
  return (
    <Dialog title={t('console-stores.test')} onClose={onClose}>
      <p class="muted">{t('console-stores.testText')}</p>
      <Form
        // The code of the first coupon comes later than the form.
        key={code}
        action={t('console-stores.testSend')}
        showsReasons
        submit={async ({ code: typed = '', total = '' }, options) => {
          const input = { code: typed, total: Number(total) };
          const asked = await askStore(options, (call) =>
            api.connections.testOrder(id, input, call),
          );
          setTested('value' in asked ? asked.value : undefined);
          setRefusal('refusal' in asked ? asked.refusal : undefined);
        }}
      >
        <OrderFields code={code} />
      </Form>
      {(tested ?? refusal) !== undefined && (
        <StepList steps={tested?.steps ?? []} refusal={refusal} />
      )}
      {tested && tested.order.referrals.length > 0 && <TriedOrder order={tested.order} />}
    </Dialog>
  );
}
