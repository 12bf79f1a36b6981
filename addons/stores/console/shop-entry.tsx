import { LinkedText } from '../../../web/ui/linked-text.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { hasWord, t } from '../../../web/words.ts';
import { CopiedText } from './copied-text.tsx';

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
      <p>
        <LinkedText text={hasWord(place) ? t(place) : t('console-stores.place.unknown')} />
      </p>
      <CopiedText
        name={t('console-stores.receiver')}
        text={receiverUrl}
        label={t('console-stores.receiverCopy')}
      />
      {secret !== null && (
        <>
          <CopiedText
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
