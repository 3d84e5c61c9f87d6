#!/bin/bash
# axel, killed while it writes its state file: the next axel refuses to go on, never ends (124), or ends with a
# wrong file. It writes the state every 10 s; here it does so all the time. nginx serves the file to this machine.
folder=$(mktemp -d) && chmod 711 "$folder" && head -c 100M /dev/urandom >"$folder/video"
echo "user root; daemon off; pid $folder/pid; events {} http { access_log off; server { listen
    127.0.0.1:8899; root $folder; } }" >"$folder/conf"
nginx -e "$folder/log" -c "$folder/conf" & server=$!; sleep 1
export HOME=$folder; echo "save_state_interval = 0" >"$folder/.axelrc"
get=(axel -o "$folder/got" http://127.0.0.1:8899/video)
for ((kill = 1; kill <= 60; kill++)); do
    rm -f "$folder"/got*; "${get[@]}" >"$folder/said" & sleep "0.1$((RANDOM % 90 + 10))"
    kill -9 $!; wait $! 2>/dev/null
    timeout 20 "${get[@]}" >"$folder/said"; code=$?; cmp "$folder/video" "$folder/got" || break
done
echo "after $kill kills: exit code $code"; grep -m 1 -i "state file" "$folder/said"; kill $server; rm -rf "$folder"
((kill <= 60)) || { echo "not shown"; exit 1; }
