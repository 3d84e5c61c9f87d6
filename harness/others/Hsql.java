import java.nio.file.*;
import java.sql.*;
import java.util.*;

/** Puts forty rows into an HSQLDB database, and says each when it is committed; or checks them. */
class Hsql {
    public static void main(String[] words) throws Exception {
        boolean runs = words[0].equals("run");
        Class.forName("org.hsqldb.jdbcDriver");
        // Its lock is kept for ten seconds after a kill.
        String address = "jdbc:hsqldb:file:" + words[1] + "/data;hsqldb.lock_file=false;shutdown=true";
        try (Connection base = DriverManager.getConnection(address, "SA", "");
                Statement statement = base.createStatement()) {
            // Each commit is on the disk before it returns: the words of version 1.8, or those of 2.
            String set = base.getMetaData().getDatabaseMajorVersion() < 2 ? "SET " : "SET FILES ";
            statement.execute(set + (set.length() > 4 ? "WRITE DELAY FALSE" : "WRITE_DELAY FALSE"));
            Set<Integer> there = new TreeSet<>();
            try (ResultSet rows = statement.executeQuery("SELECT n FROM done")) {
                while (rows.next()) there.add(rows.getInt(1));
            } catch (SQLException none) {
                if (runs) statement.execute("CREATE CACHED TABLE done(n INT PRIMARY KEY, text VARCHAR(200))");
            }
            for (int n = 1; runs && n <= 40; n++) {
                if (!there.contains(n)) {
                    statement.execute("INSERT INTO done VALUES(" + n + ", '" + "x".repeat(150) + "')");
                }
                System.out.println(n);
            }
            if (!runs) {
                for (String line : Files.readAllLines(Path.of(words[2]))) {
                    if (there.contains(Integer.parseInt(line))) continue;
                    System.out.println("row " + line + " is gone");
                    System.exit(1);
                }
            }
        } catch (SQLException refused) {
            (runs ? System.err : System.out).println(refused.getMessage());
            System.exit(1);
        }
    }
}
