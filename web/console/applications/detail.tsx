import { Redirect, useParams } from 'wouter-preact';

/** One application by its id alone, as events and the search name it. */
export function ApplicationDetail() {
  const { id = '' } = useParams();
  return <Redirect to={`/console/applications?view=all&open=${id}`} replace />;
}
