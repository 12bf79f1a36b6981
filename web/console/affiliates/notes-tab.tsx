import { useState } from 'preact/hooks';
import { act } from '../../act.ts';
import { api } from '../../api.ts';
import { refresh, useData } from '../../data.ts';
import { sentenceOf } from '../../error-words.ts';
import { useSession } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { AreaField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { ItemList } from '../../ui/item-list.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pager } from '../../ui/pager.tsx';
import { t } from '../../words.ts';
import type { TabProps } from './tab-props.ts';

const PER_PAGE = 20;

/** What the team has noted. The affiliate never sees it in the portal. */
export function NotesTab({ affiliate, address }: TabProps) {
  const { id } = affiliate;
  const { page } = address;
  const { account, me } = useSession();
  const [refusal, setRefusal] = useState<string>();
  const { data, error, retry } = useData('affiliates', { id, part: 'notes', page }, () =>
    api.affiliates.notes.list(id, { page, per_page: PER_PAGE }),
  );
  const remove = async (noteId: number) => {
    setRefusal(undefined);
    try {
      await act((options) => api.affiliates.notes.delete(id, noteId, options));
      await refresh(['affiliates', { id, part: 'notes' }]);
    } catch (refused) {
      setRefusal(sentenceOf(refused));
    }
  };
  return (
    <Card labelledBy="notes">
      <h2 id="notes">{t('console-affiliates.tab.notes')}</h2>
      <Form
        action={t('console-affiliates.addNote')}
        clears
        submit={async ({ text }, options) => {
          await api.affiliates.notes.create(id, { text: text!.trim() }, options);
          await refresh(['affiliates', { id, part: 'notes' }]);
        }}
      >
        <AreaField
          name="text"
          label={t('console-affiliates.note')}
          required
          rows={3}
          maxLength={2_000}
          hint={t('console-affiliates.noteHint')}
        />
      </Form>
      {refusal && <Notice kind="bad">{refusal}</Notice>}
      {!data && <Pending error={error} retry={retry} lines={4} />}
      {data && (
        <>
          <ItemList
            items={data.items.map((note) => ({
              key: note.id,
              title: <span class="note-text">{note.text}</span>,
              detail: (
                <>
                  {note.author?.display_name ?? t('console-affiliates.service')} ·{' '}
                  <Moment date={note.date_created} />
                </>
              ),
              // Managers delete their own notes only.
              action: (account.role === 'administrator' || note.author?.id === me.user.id) && (
                <Button
                  kind="quiet"
                  type="button"
                  aria-label={t('console-affiliates.deleteNoteOf', {
                    name: note.author?.display_name ?? t('console-affiliates.service'),
                  })}
                  onClick={() => void remove(note.id)}
                >
                  {t('console-affiliates.delete')}
                </Button>
              ),
            }))}
          />
          <Pager
            label={t('common.pages')}
            page={page}
            pages={data.pages}
            hrefOf={(other) => address.hrefOf({ page: other === 1 ? undefined : String(other) })}
          />
        </>
      )}
    </Card>
  );
}
