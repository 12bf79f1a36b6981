import { useLocation, useParams } from 'wouter-preact';
import type { StoreConnection } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData, useRefreshing } from '../../../web/data.ts';
import { useAddress, type Address } from '../../../web/frame/address.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { PendingCard } from '../../../web/ui/error-state.tsx';
import { t } from '../../../web/words.ts';
import { isCatchingUp, useCanChange } from './connection-state.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { guideOfKind } from './kind-guides.ts';
import { LinksCard } from './links-card.tsx';
import { DiscountDialog, RatesDialog } from './money-dialogs.tsx';
import { SetupCard } from './setup-card.tsx';
import { StateCard } from './state-card.tsx';
import { ImportDialog, KeysDialog, RemoveDialog, RenameDialog } from './store-dialogs.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { TestOrderDialog } from './test-order-dialog.tsx';
import './stores.css';

const IMPORT_POLL_MS = 2_000;
const FIRST_ORDER_POLL_MS = 5_000;

/** One connected store: whether its orders come in, and each delivery. */
export function Store() {
  const id = Number(useParams<{ id: string }>().id);
  const address = useAddress(`/console/stores/${id}`);
  const canChange = useCanChange();
  const { data, error, retry } = useData('store', { id }, () => api.connections.get(id));
  usePolling(id, data);
  return (
    <Screen
      title={data?.name ?? t('console-stores.single')}
      back={{ href: '/console/stores', label: t('console.nav.stores') }}
      guide={data && guideOfKind(data.kind)}
    >
      {data ? (
        <>
          <StateCard connection={data} address={address} canChange={canChange} />
          <DeliveryList connection={data} address={address} canChange={canChange} />
          <LinksCard connection={data} />
          <SetupCard connection={data} address={address} canChange={canChange} />
          {canChange && <OpenDialog connection={data} address={address} />}
        </>
      ) : (
        <PendingCard error={error} retry={retry} lines={8} />
      )}
    </Screen>
  );
}

/** An import and a comparison go on in the background; and after connecting, the owner waits for the first delivery. */
function usePolling(id: number, connection: StoreConnection | undefined): void {
  const isImporting = connection?.import?.state === 'running';
  const isNew = connection?.last_delivery_at === null && connection.state !== 'paused';
  const isBusy = isImporting || (connection !== undefined && isCatchingUp(connection));
  const everyMs = isBusy ? IMPORT_POLL_MS : isNew ? FIRST_ORDER_POLL_MS : undefined;
  useRefreshing(everyMs, ['store', { id }]);
}

const dialogs = {
  import: ImportDialog,
  test: TestOrderDialog,
  keys: KeysDialog,
  secret: SecretDialog,
  rates: RatesDialog,
  discount: DiscountDialog,
  rename: RenameDialog,
  remove: RemoveDialog,
};
const names = Object.keys(dialogs) as (keyof typeof dialogs)[];

/** The dialog that the address names. */
function OpenDialog({ connection, address }: { connection: StoreConnection; address: Address }) {
  const [, navigate] = useLocation();
  const name = address.oneOf('open', names);
  if (!name) return null;
  const View = dialogs[name];
  const onClose = () => navigate(address.hrefOf({ open: undefined }), { replace: true });
  return <View connection={connection} onClose={onClose} />;
}
