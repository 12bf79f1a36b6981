import { adding, creating } from '../../src/db/create-tables.ts';
import { defineModule } from '../../src/kernel/declare/module.ts';
import { needs } from '../../src/kernel/declare/overview.ts';
import { contribute } from '../../src/kernel/declare/point.ts';
import { settingEffects } from '../../src/kernel/declare/setting-effect.ts';
import { linkParameters } from '../../src/modules/clicks/index.ts';
import { mails } from '../../src/modules/mail/index.ts';
import { connectedStores } from '../../src/modules/rewards/index.ts';
import { addFolders } from './add-folders.ts';
import { finishApprovals } from './approval/finish-approvals.ts';
import { getApproval } from './approval/get-approval.ts';
import { receiveCredentials } from './approval/receive-credentials.ts';
import { approvalNeedsHttps, requestApproval } from './approval/request-approval.ts';
import { storeConnectedMail } from './connections/announce-connected.ts';
import { storeSecretMail } from './connections/announce-secret.ts';
import { changeConnection } from './connections/change-connection.ts';
import { checkConnection } from './connections/check-connection.ts';
import { tooManyConnections } from './connections/claim-store.ts';
import { closeLoops } from './connections/connection-loops.ts';
import { nameConnections } from './connections/connection-rows.ts';
import { createConnection } from './connections/create-connection.ts';
import { deleteConnection } from './connections/delete-connection.ts';
import { getConnection } from './connections/get-connection.ts';
import { listConnections } from './connections/list-connections.ts';
import { listKinds } from './connections/list-kinds.ts';
import {
  brokenConnections,
  reportBrokenStores,
  storeBrokenMail,
  storeRecoveredMail,
} from './connections/report-broken.ts';
import { kindNotLoaded, noCredentials, storeFailed } from './connections/require-connection.ts';
import { sendTestOrder, testOrderFailed } from './connections/send-test-order.ts';
import { storeEvents } from './connections/store-events.ts';
import { storeIsConnected } from './connections/store-identity.ts';
import { storeMetrics } from './connections/store-metrics.ts';
import { storeClient } from './connectors/client.ts';
import { getPlugin, noPlugin } from './connectors/woocommerce/plugin/get-plugin.ts';
import { correctStoreWaits } from './correct-waits.ts';
import { createCouponsInStores } from './coupons/create-in-stores.ts';
import { listStoreDeliveries } from './deliveries/list-deliveries.ts';
import { processDeliveries } from './deliveries/process-deliveries.ts';
import { pruneStoreDeliveries } from './deliveries/prune-deliveries.ts';
import { receiveDelivery, wrongSignature } from './deliveries/receive-delivery.ts';
import { releaseStoreLeases } from './deliveries/release-leases.ts';
import { retryStoreDelivery } from './deliveries/retry-delivery.ts';
import { joinRenewals } from './join-renewals.ts';
import { completeLinks } from './orders/complete-links.ts';
import { importOrders } from './orders/import-orders.ts';
import { storeEffects } from './setting-effects.ts';
import { storeSettings } from './settings.ts';
import { catchUpStores } from './sync/catch-up.ts';
import { reconcileConnection } from './sync/reconcile-connection.ts';
import { remapOrders } from './sync/remap-orders.ts';
import { syncStores } from './sync/sync-stores.ts';
import { tables } from './tables.ts';

export const storesModule = defineModule({
  name: 'stores',
  summary: 'Connected stores: their orders arrive automatically',
  addon: true,
  operations: [
    listKinds,
    listConnections,
    createConnection,
    getConnection,
    getPlugin,
    changeConnection,
    deleteConnection,
    checkConnection,
    reconcileConnection,
    importOrders,
    sendTestOrder,
    listStoreDeliveries,
    retryStoreDelivery,
    requestApproval,
    getApproval,
    receiveCredentials,
    receiveDelivery,
  ],
  events: storeEvents,
  settings: storeSettings,
  errors: [
    tooManyConnections,
    storeIsConnected,
    wrongSignature,
    kindNotLoaded,
    noPlugin,
    noCredentials,
    storeFailed,
    testOrderFailed,
    approvalNeedsHttps,
  ],
  jobs: [
    processDeliveries,
    catchUpStores,
    remapOrders,
    syncStores,
    createCouponsInStores,
    finishApprovals,
    pruneStoreDeliveries,
    reportBrokenStores,
  ],
  metrics: storeMetrics,
  migrations: [
    creating('stores/0001-baseline', tables),
    adding('stores/0002-after-0.7.0', tables, {
      async fill(tx) {
        await joinRenewals(tx);
        await addFolders(tx);
      },
    }),
  ],
  correctInstants: correctStoreWaits,
  releaseLeases: releaseStoreLeases,
  contributions: [
    ...storeEffects.map((effect) => contribute(settingEffects, effect)),
    contribute(needs, brokenConnections),
    contribute(mails, storeBrokenMail),
    contribute(mails, storeConnectedMail),
    contribute(mails, storeRecoveredMail),
    contribute(mails, storeSecretMail),
    contribute(connectedStores, nameConnections),
    contribute(linkParameters, completeLinks),
  ],
  close(site) {
    closeLoops(site);
    storeClient.close(site);
  },
});
