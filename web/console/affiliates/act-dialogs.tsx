import type { AffiliateDetails } from '../../../sdk/src/index.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { t } from '../../words.ts';
import {
  AdjustForm,
  AnonymiseForm,
  EditForm,
  InviteForm,
  ParentForm,
  StatusForm,
  ViewForm,
  type ActFormProps,
} from './act-forms.tsx';

/** In the order in which they are offered. */
const forms = {
  view: ViewForm,
  edit: EditForm,
  adjust: AdjustForm,
  suspend: StatusForm,
  reinstate: StatusForm,
  invite: InviteForm,
  parent: ParentForm,
  anonymise: AnonymiseForm,
} as const;
type Act = keyof typeof forms;
const acts = Object.keys(forms) as Act[];

/** What can be done with this affiliate by a member of the team with this role. */
export function actsOf(affiliate: AffiliateDetails, role: string): readonly Act[] {
  const isActive = affiliate.status === 'active';
  return acts.filter((act) => {
    if (act === 'suspend') return isActive;
    if (act === 'reinstate') return !isActive;
    if (act === 'adjust') return affiliate.coupons.length > 0;
    // Present while the add-on for levels is on.
    if (act === 'parent') return affiliate.mla_parents !== undefined;
    return act !== 'anonymise' || role === 'administrator';
  });
}

export function ActDialog({ act, ...props }: ActFormProps & { act: Act }) {
  const Content = forms[act];
  const name = props.affiliate.user.display_name;
  return (
    <Dialog title={t(`console-affiliates.actTitle.${act}`, { name })} onClose={props.onClose}>
      <Content {...props} />
    </Dialog>
  );
}
