import { Redirect, useParams } from 'wouter-preact';
import { PATH } from './review-words.tsx';

/** One case by its id alone, as events and orders name it. */
export function CaseDetail() {
  const { id = '' } = useParams();
  return <Redirect to={`${PATH}?view=all&open=${id}`} replace />;
}
