/// SQL that finds a video's rows by position, in `chunk` or in `cached_range`.
///
/// The rows of a video never overlap, so of those that begin at or before a position only the last
/// one can hold it. The search takes as long among many rows as among few.
enum RangeSearch {
    /// The condition that leaves out all rows before a position except the one that may hold it.
    static func reaching(_ position: String, in table: String) -> String {
        """
        video_id = :video AND offset >= IFNULL((
            SELECT MAX(offset) FROM \(table) WHERE video_id = :video AND offset <= \(position)), 0)
        """
    }

    /// The columns of the row that holds `:offset`, or of the first one after it, and so on.
    static func sql(_ columns: String, in table: String, limit: String = "1") -> String {
        """
        SELECT \(columns) FROM \(table)
        WHERE \(reaching(":offset", in: table)) AND offset + length > :offset
        ORDER BY offset LIMIT \(limit)
        """
    }
}
