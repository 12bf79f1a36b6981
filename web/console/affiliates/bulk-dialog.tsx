import { useState } from 'preact/hooks';
import type { ChangeAffiliates, ChangedAffiliates, Group } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { AreaField, Field, SelectField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';

export const bulkActs = ['suspend', 'tag', 'group'] as const;
type BulkAct = (typeof bulkActs)[number];

interface BulkDialogProps {
  act: BulkAct;
  ids: readonly number[];
  groups: readonly Group[];
  onClose(): void;
}

/** One change of all selected affiliates. Affiliates that could not be changed are named, with the reason. */
export function BulkDialog({ act, ids, groups, onClose }: BulkDialogProps) {
  const [refused, setRefused] = useState<ChangedAffiliates['items']>([]);
  const count = ids.length;
  if (refused.length > 0) {
    return (
      <Dialog
        title={t('console-affiliates.bulkRefused', { count: refused.length })}
        onClose={onClose}
      >
        <Notice kind="warn">{t('console-affiliates.bulkRefusedText')}</Notice>
        <ul>
          {refused.map(({ id, error }) => (
            <li key={id}>
              {t('console-affiliates.number', { id: String(id) })}: {error?.message}
            </li>
          ))}
        </ul>
        <Button type="button" onClick={onClose}>
          {t('common.close')}
        </Button>
      </Dialog>
    );
  }
  return (
    <Dialog title={t(`console-affiliates.bulkTitle.${act}`, { count })} onClose={onClose}>
      <Form
        action={t(`console-affiliates.bulk.${act}`)}
        kind={act === 'suspend' ? 'danger' : 'primary'}
        submit={async (values, options) => {
          const change = { ids: [...ids], ...changeOf(act, values) };
          const { items } = await api.affiliates.changeMany(change, options);
          await refresh('affiliates', 'tags');
          const failed = items.filter(({ ok }) => !ok);
          if (failed.length === 0) onClose();
          else setRefused(failed);
        }}
      >
        {act === 'suspend' && (
          <>
            <p>{t('console-affiliates.suspendText')}</p>
            <ReasonField />
          </>
        )}
        {act === 'tag' && (
          <Field
            name="add_tags"
            label={t('console-affiliates.tags')}
            required
            maxLength={200}
            autocomplete="off"
            hint={t('console-affiliates.tagsHint')}
          />
        )}
        {act === 'group' &&
          (groups.length > 0 ? (
            <SelectField
              name="add_groups"
              label={t('console-affiliates.group')}
              required
              options={groups.map(({ name }) => ({ value: name, label: name }))}
            />
          ) : (
            <p>{t('console-affiliates.noGroups')}</p>
          ))}
      </Form>
    </Dialog>
  );
}

function changeOf(act: BulkAct, values: FormValues): Omit<ChangeAffiliates, 'ids'> {
  if (act === 'tag') return { add_tags: namesIn(values['add_tags'] ?? '') };
  if (act === 'group') return { add_groups: values['add_groups'] ? [values['add_groups']] : [] };
  return { status: 'suspended', ...(values['reason'] && { reason: values['reason'] }) };
}

/** Names separated by commas. */
export function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

export function ReasonField() {
  return (
    <AreaField
      name="reason"
      label={t('console-affiliates.reason')}
      maxLength={1_000}
      rows={3}
      hint={t('console-affiliates.reasonHint')}
    />
  );
}
