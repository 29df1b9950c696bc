/** Whether an Accept header ranks CSV above JSON. JSON wins a tie, and without a header. */
export function prefersCsv(accept: string | undefined): boolean {
  const ranges = (accept ?? "*/*").split(",").map((part) => {
    const [range = "", ...parameters] = part.split(";").map((word) => word.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    const number = Number(weight);
    return { range, weight: Number.isNaN(number) ? 0 : number };
  });
  const weightOf = (type: string, group: string) =>
    (
      ranges.find(({ range }) => range === type) ??
      ranges.find(({ range }) => range === group) ??
      ranges.find(({ range }) => range === "*/*")
    )?.weight ?? 0;
  return weightOf("text/csv", "text/*") > weightOf("application/json", "application/*");
}
