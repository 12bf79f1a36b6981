import { CopyButton } from '../../ui/copy-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { hasWord, t } from '../../words.ts';

interface ShopEntryProps {
  kind: string;
  receiverUrl: string;
  /** Shown once; null if the store makes it. */
  secret: string | null;
}

/** What the owner enters in the shop by hand, and exactly where. */
export function ShopEntry({ kind, receiverUrl, secret }: ShopEntryProps) {
  const place = `console-stores.place.${kind}`;
  return (
    <>
      <p>{hasWord(place) ? t(place) : t('console-stores.place.unknown')}</p>
      <Copied
        name={t('console-stores.receiver')}
        text={receiverUrl}
        label={t('console-stores.receiverCopy')}
      />
      {secret !== null && (
        <>
          <Copied
            name={t('console-stores.secret')}
            text={secret}
            label={t('console-stores.secretCopy')}
          />
          <Notice kind="warn">{t('console-stores.secretOnce')}</Notice>
        </>
      )}
    </>
  );
}

function Copied({ name, text, label }: { name: string; text: string; label: string }) {
  return (
    <div class="store-copied">
      <span class="muted">{name}</span>
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
