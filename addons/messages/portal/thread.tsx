import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ThreadMessage } from '../../../sdk/src/index.ts';
import { act } from '../../../web/act.ts';
import { api } from '../../../web/api.ts';
import { refresh, useData, useRefreshing } from '../../../web/data.ts';
import { formatBytes } from '../../../web/format.ts';
import { useAddress } from '../../../web/frame/address.ts';
import { useSession } from '../../../web/session.ts';
import { Card } from '../../../web/ui/card.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { PendingCard } from '../../../web/ui/error-state.tsx';
import { DownloadIcon } from '../../../web/ui/icons.tsx';
import { Moment } from '../../../web/ui/moment.tsx';
import { Pager } from '../../../web/ui/pager.tsx';
import { PlainText } from '../../../web/ui/plain-text.tsx';
import { t } from '../../../web/words.ts';
import { Composer } from './composer.tsx';
import './thread.css';

const PER_PAGE = 25;
/** How soon an answer appears in an open thread. */
const NEW_MS = 10_000;

interface ThreadProps {
  affiliateId: number;
  /** The side of the reader. */
  side: ThreadMessage['from'];
  /** The address of the screen. */
  path: string;
  /** What the other side is called where a message has no author. */
  other: string;
  /** Says what to do while there are no messages. */
  none: string;
}

/** The messages of a thread, the newest below, where the answer is written. Showing them marks them as read. */
export function Thread({ affiliateId, side, path, other, none }: ThreadProps) {
  const { isView } = useSession();
  const address = useAddress(path);
  const { data, error, retry } = useData(
    'messages',
    { id: affiliateId, page: address.page, per_page: PER_PAGE },
    ({ page, per_page }) => api.affiliates.messages.list(affiliateId, { page, per_page }),
  );
  useRefreshing(NEW_MS, 'messages');
  const items = data?.items.toReversed() ?? [];
  const isUnread = ({ from, read }: ThreadMessage) => from !== side && !read;
  const unread = items.find(isUnread)?.id;
  const newest = items.at(-1)?.id;
  // Where the unread ones began stays marked for as long as the screen is open.
  const [firstNew, setFirstNew] = useState<number>();
  useLayoutEffect(() => {
    if (unread === undefined || newest === undefined || isView) return;
    setFirstNew((before) => before ?? unread);
    void markRead(affiliateId, newest);
  }, [unread, newest, isView]);
  const list = useRef<HTMLOListElement>(null);
  const isOpened = useRef(false);
  useLayoutEffect(() => {
    if (newest === undefined) return;
    // After the position that the frame restores.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const all = list.current;
        const target =
          (!isOpened.current && all?.querySelector('[data-new]')) || all?.lastElementChild;
        isOpened.current = true;
        target?.scrollIntoView({ block: 'nearest' });
      }),
    );
  }, [newest]);
  if (!data) {
    return <PendingCard error={error} retry={retry} lines={6} />;
  }
  return (
    <Card>
      {data.pages > 1 && (
        <Pager
          label={t('portal-messages.older')}
          page={address.page}
          pages={data.pages}
          hrefOf={(page) => address.hrefOf({ page: String(page) })}
        />
      )}
      {items.length === 0 && <EmptyState title={t('portal-messages.noneTitle')}>{none}</EmptyState>}
      {items.length > 0 && (
        <ol class="thread" ref={list}>
          {items.map((message) => (
            <Message
              key={message.id}
              message={message}
              isOwn={message.from === side}
              isFirstNew={message.id === firstNew}

              name={message.author?.name ?? other}
            />
          ))}
        </ol>
      )}
      {!isView && <Composer affiliateId={affiliateId} />}
    </Card>
  );
}

/** Nothing waits for it: if it fails, the messages are marked when they are shown again. */
async function markRead(affiliateId: number, newest: number): Promise<void> {
  try {
    await act((options) =>
      api.affiliates.messages.read(affiliateId, { message_id: newest }, options),
    );
    await refresh('messages', 'overview');
  } catch {
    // As above.
  }
}

interface MessageProps {
  message: ThreadMessage;
  isOwn: boolean;
  isFirstNew: boolean;
  name: string;
}

function Message({ message, isOwn, isFirstNew, name }: MessageProps) {
  const { text, files, date, read } = message;
  return (
    <li class="message" data-own={isOwn} data-new={isFirstNew ? '' : undefined}>
      {isFirstNew && <p class="message-new">{t('portal-messages.new')}</p>}
      <p class="message-head">
        <strong>{name}</strong> <Moment date={date} inLog />
      </p>
      <div class="message-body">
        <PlainText text={text} />
        {files.length > 0 && (
          <ul class="message-files">
            {files.map((file) => (
              <li key={file.id}>
                <FileLink file={file} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {isOwn && (
        <p class="message-state">{t(read ? 'portal-messages.read' : 'portal-messages.unread')}</p>
      )}
    </li>
  );
}

function FileLink({ file }: { file: ThreadMessage['files'][number] }) {
  // With the session of this page, whatever the public address of the service is.
  const local = (url: string) => url.slice(url.indexOf('/svc/'));
  const size = formatBytes(file.bytes);
  return (
    <a class="message-file" href={local(file.url)} target="_blank" rel="noopener">
      {file.thumbnail === null ? (
        <DownloadIcon aria-hidden />
      ) : (
        <img src={local(file.thumbnail)} alt="" loading="lazy" />
      )}
      <span>
        {file.name} <span class="muted">({size})</span>
      </span>
    </a>
  );
}
