import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { NewStoreConnection } from '../../../sdk/src/index.ts';
import type { Address } from '../../../web/frame/address.ts';
import { GuideLink } from '../../../web/frame/guide-link.tsx';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Pending } from '../../../web/ui/error-state.tsx';
import { hasWord, t } from '../../../web/words.ts';
import { ConnectForm } from './connect-form.tsx';
import { ConnectedStep } from './connected-step.tsx';
import { useKinds, type StoreKind } from './connection-state.tsx';
import { guideOfKind } from './kind-guides.ts';

interface ConnectDialogProps {
  /** `choose` until a kind is chosen. */
  kind: string;
  address: Address;
  onClose(): void;
}

/** Connects a store: choose its kind, give access, see each step with its result. */
export function ConnectDialog({ kind, address, onClose }: ConnectDialogProps) {
  const { data: kinds, error, retry } = useKinds();
  const [connected, setConnected] = useState<NewStoreConnection>();
  const chosen = kinds?.find((one) => one.kind === kind);
  if (connected && chosen) {
    return (
      <Dialog key="done" title={t('console-stores.connectedTitle', { name: connected.name })}>
        <ConnectedStep connection={connected} kind={chosen} />
      </Dialog>
    );
  }
  const title = chosen
    ? t('console-stores.connectKind', { kind: chosen.label })
    : t('console-stores.connect');
  return (
    <Dialog key={chosen?.kind ?? 'choose'} title={title} onClose={onClose}>
      {chosen ? (
        <>
          <GuideLink guide={guideOfKind(chosen.kind)} />
          <ConnectForm kind={chosen} address={address} onConnected={setConnected} />
        </>
      ) : kinds ? (
        <KindList kinds={kinds} address={address} />
      ) : (
        <Pending error={error} retry={retry} lines={4} height="3.5rem" />
      )}
    </Dialog>
  );
}

function KindList({ kinds, address }: { kinds: readonly StoreKind[]; address: Address }) {
  return (
    <>
      <p class="muted">{t('console-stores.chooseKind')}</p>
      <ul class="store-kinds">
        {kinds.map(({ kind, label }) => (
          <li key={kind}>
            <Link href={address.hrefOf({ connect: kind })}>
              <strong>{label}</strong>
              <span class="field-hint">{aboutKind(kind)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** An extension can bring kinds that the console has no words for. */
function aboutKind(kind: string): string {
  const key = `console-stores.about.${kind}`;
  return hasWord(key) ? t(key) : t('console-stores.about.unknown');
}
